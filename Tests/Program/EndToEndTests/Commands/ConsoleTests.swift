import Foundation
import TestKit
import Testing

/// `multiroute console` and `status --watch` as a user at a terminal sees them.
@Suite struct ConsoleTests {
  private let folder: TemporaryFolder
  private let server: PrivateServer
  private let router: RouterProcess

  init() async throws {
    folder = try TemporaryFolder()
    server = try await PrivateServer()
    router = try RouterProcess(
      preset: "usb-and-headphones", server: server.name, in: folder, owners: [server])
  }

  private var to: [String] { ["--to", "127.0.0.1:\(router.port)"] }
  private static let prompt = "multiroute> "
  private static let (tab, up, interrupt, endOfInput) = ("\t", "\u{1B}[A", "\u{3}", "\u{4}")

  private func console() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(["console"] + to, in: folder)
    try #require(terminal.show(Self.prompt) != nil, "\(terminal.rest)")
    return terminal
  }

  /// Ends a console by Ctrl-D, as soon as it shows the next prompt.
  private func endInput(_ terminal: PseudoTerminal) -> Int32? {
    #expect(terminal.show(Self.prompt) != nil, "\(terminal.rest)")
    terminal.type(Self.endOfInput)
    return terminal.end().code
  }

  @Test(
    "Tab completes addresses and values, Up brings back lines also of the last console, and Ctrl-D ends it")
  func prompt() throws {
    let terminal = try console()
    terminal.type("/out" + Self.tab + "us" + Self.tab + "ga" + Self.tab + "-7\r")
    #expect(terminal.show("\r\n-7.0\r\n") != nil, "\(terminal.rest)")
    terminal.type("/session/show/cat" + Self.tab)
    #expect(terminal.show("egory ") != nil, "\(terminal.rest)")
    // Two choices begin so; the second press shows them.
    terminal.type("p" + Self.tab + Self.tab)
    #expect(terminal.show("playback")?.contains("lay") == true, "\(terminal.rest)")
    terminal.type("A" + Self.tab + "\r")
    #expect(terminal.show("\r\nplayAndRecord\r\n") != nil, "\(terminal.rest)")
    // Up twice is the line with the gain.
    terminal.type(Self.up + Self.up + "5\r")
    #expect(terminal.show("\r\n-75.0\r\n") != nil, "\(terminal.rest)")
    terminal.type("/output/usb/gian\r")
    #expect(
      terminal.show("unknownAddress (1): there is no 'gian' in /output/usb; did you mean 'gain'?") != nil)
    terminal.type("/preset/undo\r")
    #expect(terminal.show("To fire it, write: send /preset/undo") != nil, "\(terminal.rest)")
    #expect(endInput(terminal) == 0)

    let file = folder.file("XDG_STATE_HOME/multiroute/console-history")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let next = try console()
    next.type(Self.up + Self.up + Self.up + "\r")
    #expect(next.show("\r\n-75.0\r\n") != nil, "\(next.rest)")
    next.type("quit\r")
    #expect(next.end().code == 0)
    #expect(try Program.run(["get", "/output/usb/gain"] + to).output == "-75.0")
  }

  @Test("Ctrl-C drops a line, and the terminal has its settings again after the end, also by SIGTERM")
  func signals() throws {
    let terminal = try console()
    terminal.type("/output/usb/gain -33" + Self.interrupt)
    #expect(terminal.show("^C\r\n" + Self.prompt) != nil, "\(terminal.rest)")
    terminal.type("/output/usb/gain\r")
    #expect(terminal.show("\r\n0.0\r\n") != nil, "\(terminal.rest)")
    terminal.type("/ram" + Self.tab)
    #expect(terminal.show("p ") != nil, "\(terminal.rest)")
    let isOwnLine = UInt32(ICANON | ECHO)
    #expect(terminal.settings[3] & isOwnLine == 0)
    terminal.child.send(signal: SIGTERM)
    #expect(terminal.end().code == 0)
    #expect(terminal.settings[3] & isOwnLine == isOwnLine)
  }

  @Test("The console tells when the router goes away and when it comes back")
  func routerGoes() throws {
    let terminal = try console()
    terminal.type("/output/us")
    #expect(router.terminate().code == 0)
    // The line that was begun stays.
    #expect(
      terminal.show("multiroute: no router listens at 127.0.0.1:\(router.port).") != nil, "\(terminal.rest)")
    #expect(terminal.show(Self.prompt + "/output/us") != nil, "\(terminal.rest)")
    terminal.type("b/gain\r")
    #expect(terminal.show("no router listens") != nil, "\(terminal.rest)")
    let second = try RouterProcess(
      preset: "usb-and-headphones", server: server.name, in: folder,
      flags: ["--osc", "127.0.0.1:\(router.port)"], owners: [server])
    #expect(terminal.show("the router at 127.0.0.1:\(router.port) answers again.") != nil, "\(terminal.rest)")
    terminal.type("/output/usb/gain\r")
    #expect(terminal.show("\r\n0.0\r\n") != nil, "\(terminal.rest)")
    #expect(endInput(terminal) == 0)
    #expect(second.terminate().code == 0)
  }

  @Test(
    "A pipe is a line for each command; one that fails decides the exit code and stops nothing, but for a router that is gone"
  )
  func pipe() throws {
    func run(_ lines: String...) throws -> Program.Result {
      let child = try Program.start(["console"] + to, in: folder)
      for line in lines { child.send(line) }
      child.endInput()
      return Program.Result(code: child.wait(), output: child.output.text, errors: child.errors.text)
    }
    let good = try run(
      "# soundcheck", "/output/usb/gain -6", "", "/output/usb/gain", "/session/show/name \"My show\"")
    #expect(good.code == 0 && good.output == "-6.0\n-6.0\nMy show" && good.errors.isEmpty, "\(good)")
    let refused = try run("/output/usb/gain 99", "gain", "/output/usb/gain", "quit", "/output/usb/gain -1")
    #expect(refused.code == 1 && refused.output == "-6.0", "\(refused)")
    #expect(
      refused.errors.hasPrefix("outOfRange (4): ") && refused.errors.contains("did you mean"), "\(refused)")
    #expect(try run().code == 0)

    let child = try Program.start(["console"] + to, in: folder)
    child.send("/ramp")
    #expect(child.output.line() == "0.02")
    #expect(router.terminate().code == 0)
    child.send("/ramp")
    #expect(child.wait() == 69)
    #expect(child.errors.text.contains("no router listens"), "\(child.errors.text)")
    let none = try run("/ramp")
    #expect(none.code == 69 && none.output.isEmpty)
  }

  @Test(
    "status --watch draws in place at a terminal, follows its size, ends at a signal, and tells that the router is gone"
  )
  func status() throws {
    func watch() throws -> PseudoTerminal {
      let terminal = try PseudoTerminal(["status", "--watch"] + to, in: folder)
      #expect(terminal.show("INPUT") != nil, "\(terminal.rest)")
      return terminal
    }
    let terminal = try watch()
    let settings = terminal.settings
    terminal.resize(columns: 60, rows: 10)
    let drawn = try #require(terminal.show(" more lines; make the terminal higher)"))
    let rows = drawn.components(separatedBy: "\u{1B}[H").last?.components(separatedBy: "\r\n") ?? []
    #expect(rows.count == 9, "\(rows)")
    #expect(!drawn.contains("\u{1B}[2J"))
    terminal.type(Self.interrupt)
    #expect(terminal.end().code == 0)
    #expect(terminal.settings == settings)
    let second = try watch()
    second.child.send(signal: SIGTERM)
    #expect(second.end().code == 0)
    let third = try watch()
    #expect(router.terminate().code == 0)
    let end = third.end()
    #expect(end.code == 69 && end.shown.contains("multiroute: no router listens at "), "\(end)")
  }
}
