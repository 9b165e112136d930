import OSC
import SessionModel
import Testing

@testable import Commands

@Suite("send and get talk to a router over UDP")
struct SendAndGetTests {
  let router: LoopRouter
  let shell = Shell()

  init() throws { router = try LoopRouter() }

  private var output: String { shell.terminal.output }
  private var error: String { shell.terminal.error }

  @Test("send prints the applied value")
  func applied() {
    #expect(shell.run("send", "/output/usb/gain", "-6", "--to", router.endpoint) == .success)
    #expect(output == "-6.0\n")
    #expect(error.isEmpty)
    #expect(router.state { $0.outputs["usb"]?.gain.target } == -6)
  }

  @Test("send prints what a number was clamped to, and how the router reads a text")
  func clamped() {
    shell.run("send", "/output/usb/delay", "7", "--to", router.endpoint)
    shell.run("send", "/session/show/stream/click/route", "usb:3", "--to", router.endpoint)
    shell.run("send", "/session/show/name", "s:1984", "--to", router.endpoint)
    #expect(output == "2.0\nusb:3\n1984\n")
  }

  @Test(
    "send prints the end and the seconds of a fade that was accepted, not the level at which the fade begins")
  func fade() {
    shell.run("send", "/output/usb/gain/fade", "-20", "4", "--to", router.endpoint)
    shell.run("send", "/output/usb/gain/fade", "-100", "900", "--to", router.endpoint)
    shell.run("send", "/output/usb/fader/fade", "0.5", "--to", router.endpoint)
    shell.run("send", "/output/us?/gain/fade", "-20", "4", "--to", router.endpoint)
    #expect(shell.terminal.lines == ["-20.0 4.0", "-90.0 600.0", "0.5 1.0", "-20.0 4.0"])
    #expect(router.state { $0.outputs["usb"]?.gain.target } == -20)
  }

  @Test("send with a pattern prints a line for each leaf, also when it means only one")
  func pattern() {
    shell.run("send", "/output/*/gain", "-3", "--to", router.endpoint)
    shell.run("send", "/output/us?/gain", "-4", "--to", router.endpoint)
    #expect(
      shell.terminal.lines == [
        "/output/usb/gain -3.0", "/output/headphones/gain -3.0", "/output/usb/gain -4.0",
      ])
  }

  @Test("send --dry-run foresees solos and talkbacks: the switch, and who hears what")
  func dryMonitoring() throws {
    try router.happen(.port(.output, "usb", .monitor(.on(true))))
    try router.happen(.session("idle", .talkback(.outputs(["usb"]))))
    for (address, argument, rest) in [
      ("/session/show/solo", "1", "hears session show"), ("/talkback/idle/on", "1", "/talkback/idle/why"),
      ("/session/show/stream/band/to/usb/solo", "1", ""),
    ] {
      let shell = Shell()
      #expect(shell.run("send", "--dry-run", address, argument, "--to", router.endpoint) == .success)
      let row = shell.terminal.lines.first { $0.hasPrefix("\(address) ") }
      #expect(row?.split(separator: " ").map(String.init) == [address, "0", "1"])
      #expect(rest.isEmpty || shell.terminal.output.contains(rest), "\(shell.terminal.output)")
    }
    try router.happen(.solo(.session("show"), true))
    #expect(shell.run("send", "--dry-run", "/solo/clear", "--to", router.endpoint) == .success)
    #expect(shell.terminal.lines.contains { $0.hasPrefix("/session/show/solo ") })
  }

  @Test("send --dry-run prints what would change, first what is heard, and changes nothing")
  func dryRun() {
    let to = ["--to", router.endpoint]
    #expect(shell.run(["send", "--dry-run", "/session/show/active", "0"] + to) == .success)
    #expect(output.hasPrefix("SESSION"))
    #expect(output.contains("falls silent") && output.contains("/session/show/active"))
    #expect(router.state { $0.sessions["show"]?.isActive } == true)
    #expect(shell.run(["send", "--dry-run", "/output/usb/gain", "0"] + to) == .success)
    #expect(shell.terminal.lines.last == "The message would change nothing.")
    #expect(shell.run(["send", "--dry-run", "/output/usb/gain", "loud"] + to) == .failure)
    #expect(error.hasPrefix("badValue (3): "))
  }

  @Test("A command without an answer prints nothing and ends with 0")
  func silent() {
    #expect(shell.run("send", "/session/create", "extra", "multiRoute", "--to", router.endpoint) == .success)
    #expect(output.isEmpty && error.isEmpty)
    #expect(router.state { $0.sessions["extra"] != nil })
  }

  @Test("A refusal is printed on standard error with symbol, code and sentence, and the command ends with 1")
  func refused() {
    #expect(shell.run("send", "/output/usb/gain", "20", "--to", router.endpoint) == .failure)
    #expect(output.isEmpty)
    #expect(error.hasPrefix("outOfRange (4): "))
    #expect(router.state { $0.outputs["usb"]?.gain.target } == 0)
    #expect(
      shell.run("send", "/session/idle/stream/main/to/usb/on", "1", "--to", router.endpoint) == .failure)
    #expect(shell.run("get", "/output/usb/gian", "--to", router.endpoint) == .failure)
    #expect(error.contains("unknownAddress (1): ") && error.contains("did you mean 'gain'?"))
  }

  @Test("reload says why a router cannot reload, and ends with 1")
  func reload() {
    #expect(shell.run("reload", "--to", router.endpoint) == .failure)
    #expect(error.hasPrefix("notFound (5): presets and sound files are at hand"))
  }

  @Test("A malformed pattern gets the router's error, and an address without slash is a usage error")
  func malformed() {
    #expect(shell.run("get", "/output/[a", "--to", router.endpoint) == .failure)
    #expect(error.hasPrefix("badValue (3): "))
    #expect(shell.run("get", "output/usb/gain", "--to", router.endpoint) == .usage)
    #expect(error.contains("did you mean /output/usb/gain?"))
  }

  @Test("get prints one value alone, texts as they are")
  func getOne() {
    #expect(shell.run("get", "/session/show/why", "--to", router.endpoint) == .success)
    shell.run("get", "/output/usb/available", "--to", router.endpoint)
    #expect(shell.terminal.lines == ["heard at usb; waits for headphones", "1"])
  }

  @Test("get with a pattern prints address and value, a line each, also for a single one")
  func getMany() {
    shell.run("get", "/output/*/available", "--to", router.endpoint)
    shell.run("get", "/input/*/available", "--to", router.endpoint)
    #expect(
      shell.terminal.lines == [
        "/output/usb/available 1", "/output/headphones/available 0", "/input/mic/available 1",
      ])
  }

  @Test("get never fires a trigger")
  func getNeverFires() {
    shell.run("send", "/output/usb/gain", "-6", "--to", router.endpoint)
    #expect(shell.run("get", "/output/usb/gain/reset", "--to", router.endpoint) == .failure)
    #expect(router.state { $0.outputs["usb"]?.gain.target } == -6)
  }

  @Test("A meter shows every channel, and silence for channels without measurement")
  func meters() {
    #expect(shell.run("get", "/meter/output/headphones", "--to", router.endpoint) == .success)
    #expect(shell.run("get", "/meter/output/usb", "--to", router.endpoint) == .success)
    #expect(shell.terminal.lines.map { $0.split(separator: " ").count } == [2, 4])
    #expect(shell.terminal.lines.first == "-160.0 -160.0")
  }
}

@Suite("Without a router the client commands print advice")
struct NoRouterTests {
  @Test(
    "A port at which no program listens ends with 69",
    arguments: ["get /ramp", "send /ramp 1", "watch", "status", "ports", "reload"])
  func noRouter(_ line: String) throws {
    // A port that no program uses.
    let endpoint = try { "\(try UDPSocket(port: 0).localAddress)" }()
    let shell = Shell()
    let arguments = line.split(separator: " ").map(String.init)
    #expect(shell.run(arguments + ["--to", endpoint]) == .unavailable)
    #expect(shell.terminal.error.hasPrefix("multiroute: no router listens at \(endpoint)."))
    #expect(shell.terminal.error.contains("multiroute run") && shell.terminal.error.contains("--to"))
    #expect(shell.terminal.output.isEmpty)
  }

  @Test(
    "A port at which a program listens without answering ends with 69 after the timeout",
    arguments: ["get /ramp", "watch", "status"])
  func mute(_ line: String) throws {
    let socket = try UDPSocket(port: 0)
    let shell = Shell()
    let arguments = line.split(separator: " ").map(String.init)
    #expect(shell.run(arguments + ["--to", "\(socket.localAddress)", "--timeout", "0.1"]) == .unavailable)
    #expect(
      shell.terminal.error.hasPrefix("multiroute: no router answers at \(socket.localAddress) within 0.1 s."))
  }

  @Test("An unknown host ends with 69")
  func unknownHost() {
    let shell = Shell()
    #expect(shell.run("get", "/ramp", "--to", "no-such-host.invalid:1") == .unavailable)
    #expect(shell.terminal.error.contains("no-such-host.invalid"))
  }
}
