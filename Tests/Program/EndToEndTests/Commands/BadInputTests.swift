import Checkout
import Foundation
import OSC
import TestKit
import Testing

@Suite("Wrong input ends with the right exit code before the router starts")
struct BadInputTests {
  let program: ProgramHome

  init() throws { program = try ProgramHome() }

  @Test(
    "A wrong command line ends with 64",
    arguments: [
      [], ["frobnicate"], ["run", "--sever", "x"], ["run", "--osc", "9440"], ["run", "a", "b"],
      ["run", "--server"],
      ["run", "--http", "nonsense"], ["run", "--watch=1"], ["render"], ["send"], ["get", "ramp"],
    ])
  func usage(_ arguments: [String]) throws {
    let result = try program.run(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty && !result.error.isEmpty)
  }

  @Test(
    "A broken preset ends with 65 and every problem, before anything is started", arguments: ["check", "run"])
  func broken(_ command: String) throws {
    let folder = Checkout.file("presets/broken")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    #expect(files.count > 10)
    for file in files {
      // The server does not exist. A program that tried to reach it would end with 69.
      let server = command == "run" ? ["--server", "mrtest-absent"] : []
      let result = try program.run([command, "\(folder)/\(file)"] + server)
      #expect(result.code == 65, "\(file)")
      #expect(result.output.isEmpty)
      #expect(result.error.contains("\(folder)/\(file):"), "\(file)")
    }
  }

  @Test("A broken configuration ends with 65, a missing one with 66")
  func configuration() throws {
    let folder = try TemporaryFolder()
    try Data(#"{ "multiroute": 1, "sever": "x", "osc": "9440" }"#.utf8).write(
      to: URL(fileURLWithPath: folder.file("config.json")))
    let broken = try program.run("run", "--config", folder.file("config.json"))
    #expect(broken.code == 65)
    #expect(broken.error.split(separator: "\n").count == 2)
    #expect(try program.run("run", "--config", folder.file("none.json")).code == 66)
  }

  @Test("A file that cannot be read ends with 66", arguments: ["run", "check"])
  func unreadable(_ command: String) throws {
    for name in ["/no/such/preset.json", "no-such-preset", "/tmp/"] {
      let result = try program.run(command, name)
      #expect(result.code == 66, "\(name)")
      #expect(result.output.isEmpty && !result.error.isEmpty)
    }
  }

  @Test("Without a JACK server run ends with 69 and advice")
  func noServer() throws {
    let result = try program.run("run", "--server", "mrtest-absent", "--osc", "127.0.0.1:0")
    #expect(result.code == 69)
    #expect(result.error.contains("--start-server") && result.error.contains("--wait"))
    #expect(result.output.isEmpty)
  }

  @Test("A port in use ends with 73 and names the program that uses it")
  func portInUse() throws {
    let holder = try UDPSocket(port: 0)
    let result = try program.run("run", "--osc", "\(holder.localAddress)", "--server", "mrtest-absent")
    #expect(result.code == 73)
    #expect(result.error.contains("(process \(ProcessInfo.processInfo.processIdentifier))"))
  }

  @Test(
    "Without a router the client commands end with 69",
    arguments: ["get /ramp", "send /ramp 1", "watch", "status", "ports"])
  func noRouter(_ line: String) throws {
    let endpoint = try { "\(try UDPSocket(port: 0).localAddress)" }()
    let result = try program.run(line.split(separator: " ").map(String.init) + ["--to", endpoint])
    #expect(result.code == 69)
    #expect(result.output.isEmpty && result.error.contains("multiroute run"))
  }
}
