import Checkout
import Foundation
import OSC
import TestKit
import Testing

/// The exit codes and messages of the program after a wrong start.
@Suite struct ExitCodeTests {
  @Test(
    "A wrong command line ends with 64 and a correction",
    arguments: [
      (["rnu"], "run"), (["run", "--sevrer", "x"], "--server"), (["run", "--osc", "nonsense"], "HOST:PORT"),
      (["render"], "PRESET"), (["send"], "ADDRESS"), (["get", "/a", "/b"], "/b"),
      (["demo", "--seconds", "soon"], "--seconds"),
      (["run", "--http", "nonsense"], "HOST:PORT"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let result = try Program.run(arguments)
    #expect(result.code == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test(
    "With few open files the program ends with 71 and a sentence, and never with a signal",
    arguments: [8, 12, 16, 24])
  func fewFiles(_ count: Int) throws {
    let child = try ChildProcess(
      "bash",
      [
        "-c", "ulimit -n \(count); exec \"$0\" run --server mrtest-absent --config none --osc 127.0.0.1:0",
        ChildProcess.product("multiroute"),
      ])
    #expect(child.wait(seconds: 10) == 71)
    #expect(child.errors.text.contains("may have only \(count) files open"), "\(child.errors.text)")
  }

  @Test("Without standard error no line of the log lands in another file")
  func closedStandardError() throws {
    let folder = try TemporaryFolder()
    let events = folder.file("events")
    let child = try ChildProcess(
      "bash",
      [
        "-c", "exec \"$0\" run --server mrtest-absent --config none --osc 127.0.0.1:0 --events \"$1\" 2>&-",
        ChildProcess.product("multiroute"), events,
      ], environment: ["XDG_RUNTIME_DIR": Program.runtime(in: folder), "XDG_STATE_HOME": folder.path])
    #expect(child.wait(seconds: 10) == 69)
    #expect(try String(contentsOfFile: events, encoding: .utf8) == "")
  }

  static let broken = Checkout.names(in: "presets/broken", ending: ".json").map {
    Checkout.file("presets/broken/\($0)")
  }

  @Test("A broken preset ends with 65, every problem is named, and nothing is started", arguments: broken)
  func badPreset(path: String) throws {
    // The folders that are searched differ between users.
    let expected = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("// expect: ") }.map { $0.dropFirst(11).split(separator: "(looked in")[0] }
    #expect(!expected.isEmpty)
    let folder = try TemporaryFolder()
    // Server and host do not exist. The preset must be checked before the program looks for them.
    let result = try Program.run(
      [
        "run", path, "--server", "mrtest-absent", "--osc", "127.0.0.1:0", "--config", "none", "--events",
        folder.file("events"),
      ], in: folder)
    #expect(result.code == 65)
    for problem in expected { #expect(result.errors.contains(problem)) }
    #expect(result.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("events")))
    let check = try Program.run(["check", path])
    #expect(check.code == 65)
    for problem in expected { #expect(check.errors.contains(problem)) }
  }

  @Test("The check of the shipped preset prints nothing")
  func goodPreset() throws {
    let result = try Program.run([
      "check", Checkout.file("presets/usb-and-headphones.json"), "usb-and-headphones",
    ])
    #expect(result.code == 0)
    #expect(result.output.isEmpty && result.errors.isEmpty, "\(result.errors)")
  }

  @Test("A file that cannot be read ends with 66, and the message names the file")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    for arguments in [
      ["run", "/nowhere/show.json"], ["run", "no-such-preset"], ["check", "/nowhere/show.json"],
      [
        "render", "usb-and-headphones", "--in", "show.band=/nowhere/band.wav", "--out",
        "usb=\(folder.file("out.wav"))",
      ],
      ["run", "usb-and-headphones", "--config", "/nowhere/config.json"],
    ] {
      let result = try Program.run(arguments, in: folder)
      #expect(result.code == 66, "\(arguments): \(result.errors)")
      #expect(
        result.errors.contains("nowhere") || result.errors.contains("no-such-preset"), "\(result.errors)")
    }
  }

  @Test("Without a JACK server run ends with 69 and advice")
  func noServer() throws {
    let result = try Program.run(
      ["run", "usb-and-headphones", "--server", "mrtest-absent", "--osc", "127.0.0.1:0", "--config", "none"])
    #expect(result.code == 69)
    for word in ["mrtest-absent", "--start-server", "--wait"] { #expect(result.errors.contains(word)) }
  }

  @Test("Without a router client commands end with 69, and the message says how to start one")
  func noRouter() throws {
    // A port that no program uses.
    let port = try UDPSocket(host: "127.0.0.1", port: 0).localAddress.port
    for command in [["get", "/ramp"], ["send", "/ramp", "0.1"], ["watch", "/ramp"], ["status"], ["ports"]] {
      let result = try Program.run(command + ["--to", "127.0.0.1:\(port)", "--timeout", "0.3"])
      #expect(result.code == 69, "\(command)")
      #expect(result.errors.contains("multiroute run"), "\(result.errors)")
    }
  }

  @Test("A port in use ends with 73 and names the program that uses it")
  func portInUse() throws {
    let folder = try TemporaryFolder()
    let port = try UDPSocket(host: "127.0.0.1", port: 0).localAddress.port
    let arguments = [
      "run", "--server", "mrtest-absent", "--osc", "127.0.0.1:\(port)", "--config", "none", "--wait",
    ]
    let holder = try Program.start(arguments, in: folder)
    #expect(holder.errors.line(containing: "waiting for one") != nil)
    let result = try Program.run(arguments, in: folder)
    #expect(result.code == 73)
    #expect(
      result.errors.contains("\(port)") && result.errors.contains("\(holder.identifier)"), "\(result.errors)")
    holder.send(signal: SIGTERM)
    #expect(holder.wait(seconds: 5) == 0)
  }
}
