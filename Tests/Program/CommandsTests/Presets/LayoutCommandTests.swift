import Checkout
import Foundation
import Interpreters
import Layouts
import SessionPolicy
import Testing

@testable import Commands

@Suite("layout prints a file for a tablet")
struct LayoutCommandTests {
  private let source = Checkout.root.path()
  private let folder: TemporaryFolder
  private var shell: Shell

  init() throws {
    folder = try TemporaryFolder()
    shell = .atHome(in: folder)
  }

  /// A shell with an empty terminal.
  private var fresh: Shell {
    var shell = Shell()
    shell.environment = self.shell.environment
    return shell
  }

  private static let shipped = Checkout.names(in: "presets", ending: ".json").map { String($0.dropLast(5)) }

  @Test(
    "The files of docs/guide/layouts are those that the command prints", arguments: shipped,
    LayoutFormat.allCases)
  func files(_ id: String, _ format: LayoutFormat) throws {
    #expect(shell.run("layout", format.rawValue, "--preset", id) == .success)
    #expect(shell.terminal.error.isEmpty)
    let file = "docs/guide/layouts/\(id).\(format == .touchOSC ? "tosc" : "json")"
    if Checkout.regenerates { return try Checkout.write(shell.terminal.bytes, to: file) }
    // Versions of zlib pack the same text differently.
    let isSame =
      format == .touchOSC
      ? try unpacked(Checkout.bytes(file)) == unpacked(shell.terminal.bytes)
      : try Checkout.bytes(file) == shell.terminal.bytes
    #expect(isSame, "run MULTIROUTE_REGENERATE=1 swift test --filter LayoutCommandTests")
  }

  /// The text of a zlib stream, as Python unpacks it.
  private func unpacked(_ bytes: [UInt8]) throws -> String {
    let script = "import sys, zlib; sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], 'rb').read()))"
    let (output, code) = try Interpreter.run("python3", ["-c", script, try written(bytes)])
    #expect(code == 0, "\(output)")
    return output
  }

  private func written(_ bytes: [UInt8]) throws -> String {
    let file = folder.path("layout.tosc")
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  @Test(
    "A file of TouchOSC has the XML of the layout in a small zlib stream, and py2tosc finds nothing to say about it"
  )
  func packing() throws {
    #expect(shell.run("layout", "touchosc", "--bank", "24") == .success, "\(shell.terminal.error)")
    let layout = Layout(of: nil, scenes: [], bank: 24, tablet: 1, law: Policy.reduce)
    let bytes = shell.terminal.bytes
    #expect(try unpacked(bytes) == layout.touchOSC)
    #expect(bytes.count * 15 < layout.touchOSC.utf8.count)
    let script = "import sys; from py2tosc.cli import main; sys.exit(main(['validate', sys.argv[1]]))"
    let (output, code) = try Interpreter.run("python3", ["-c", script, try written(bytes)])
    #expect(code == 0 && !output.contains("warning") && !output.contains("error"), "\(output)")
  }

  @Test("The scenes are the preset's relatives, or those of the configuration")
  func scenes() throws {
    func recalls(_ arguments: String...) throws -> [String] {
      let shell = fresh
      #expect(shell.run(["layout", "open-stage-control"] + arguments) == .success, "\(shell.terminal.error)")
      return shell.terminal.output.matches(of: #/"\/preset\/([a-z-]+)\/recall"/#).map { String($0.output.1) }
    }
    #expect(try recalls("--preset", "theatre") == ["theatre", "theatre-act-two"])
    #expect(try recalls("--preset", "theatre-act-two") == ["theatre", "theatre-act-two"])
    #expect(try recalls("--preset", "podcast") == ["podcast"])
    #expect(try recalls() == [])
    let configuration = try folder.file(
      "config.json", #"{ "multiroute": 1, "scenes": ["podcast", "theatre"] }"#)
    #expect(try recalls("--preset", "theatre", "--config", configuration) == ["podcast", "theatre"])
    #expect(try recalls("--config", configuration) == ["podcast", "theatre"])
    // A preset outside the library.
    let own = try folder.file("own.json", #"{ "multiroute": 1, "extends": "theatre" }"#)
    #expect(try recalls("--preset", own) == ["own", "theatre", "theatre-act-two"])
  }

  @Test("Mistakes say what is wrong and what would be right, and nothing is printed")
  func mistakes() throws {
    func message(_ arguments: String..., code: ExitCode) -> String {
      let shell = fresh
      #expect(shell.run(["layout"] + arguments) == code)
      #expect(shell.terminal.output.isEmpty)
      return shell.terminal.error
    }
    #expect(message(code: .usage).contains("PROGRAM is missing"))
    #expect(
      message("touchsoc", code: .usage).contains(
        "there are no layouts for 'touchsoc'; did you mean touchosc?"))
    #expect(message("lemur", code: .usage).contains("write open-stage-control or touchosc"))
    #expect(
      message("touchosc", "--bank", "25", code: .usage).contains("write a whole number from 1 to 24"))
    #expect(
      message("touchosc", "--bank", "12", "--tablet", "8", code: .usage).contains(
        "tablet 8 has at most 8 faders, because there are 64 strips; write --bank 8, or a lower --tablet"))
    #expect(message("touchosc", "--tablet", "9", code: .usage).contains("from 1 to 8"))
    #expect(message("touchosc", "--bank", "0", code: .usage).contains("from 1 to 24"))
    #expect(message("touchosc", "--preset", "theater", code: .unreadableFile).contains("theatre"))
    #expect(
      message("touchosc", "--preset", folder.path("none.json"), code: .unreadableFile).contains("none.json"))
    let broken = try folder.file("broken.json", #"{ "multiroute": 1, "sesions": {}, "fade": -1 }"#)
    let lines = message("open-stage-control", "--preset", broken, code: .badPreset)
    #expect(lines.contains("did you mean \"sessions\"?") && lines.contains("fade"))
  }

  @Test(
    "Every broken preset of the library gives its problems and no layout",
    arguments: Checkout.names(in: "presets/broken", ending: ".json"))
  func broken(_ name: String) {
    let code = shell.run("layout", "touchosc", "--preset", "\(source)presets/broken/\(name)")
    #expect(code == .badPreset && shell.terminal.bytes.isEmpty && !shell.terminal.error.isEmpty)
  }

  @Test("A layout of TouchOSC is not written to a terminal; a session of Open Stage Control is text")
  func terminal() {
    var shell = shell
    shell.screen.isTerminal = true
    #expect(shell.run("layout", "touchosc") == .usage)
    #expect(shell.terminal.bytes.isEmpty && shell.terminal.error.contains("> layout.tosc"))
    #expect(shell.run("layout", "open-stage-control") == .success)
    #expect(shell.terminal.output.hasPrefix("{\n  \"createdWith\": \"Open Stage Control\","))
  }
}
