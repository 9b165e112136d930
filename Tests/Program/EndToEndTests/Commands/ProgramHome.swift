import Checkout
import Foundation
import TestKit

/// The built program, with a home folder of the test's own and the presets of this checkout.
struct ProgramHome {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Starts it and returns at once.
  func start(_ arguments: String...) throws -> ChildProcess { try start(arguments) }

  /// Starts it, or a copy of it, and returns at once.
  func start(_ arguments: [String], program: String? = nil) throws -> ChildProcess {
    try ChildProcess(
      program ?? ChildProcess.product("multiroute"), arguments,
      environment: [
        "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
        "XDG_RUNTIME_DIR": home.path,
        "MULTIROUTE_SHARE": Checkout.root.path(),
      ], isUnderTest: true)
  }

  /// Runs it to its end.
  func run(_ arguments: String...) throws -> Result { try run(arguments) }

  /// Runs it, or a copy of it, to its end.
  func run(_ arguments: [String], program: String? = nil) throws -> Result {
    let child = try start(arguments, program: program)
    let code = child.wait(seconds: 20)
    return Result(code: code, output: child.output.text, error: child.errors.text)
  }

  /// The result of a run.
  struct Result {
    /// The exit code; nil if the test had to stop the program.
    var code: Int32?
    var output: String
    var error: String
  }
}

/// A running `multiroute run` at the test's own server, with its preset in force.
final class RunningRouter {
  let program: ProgramHome
  let child: ChildProcess
  /// The router's UDP address, in the form of `--to`.
  let endpoint: String
  /// The server, which must run as long as the router.
  private let server: PrivateServer

  /// Starts the router and waits for the line that says that the preset is in force.
  init(_ server: PrivateServer, _ arguments: String...) throws {
    self.server = server
    program = try ProgramHome()
    child = try program.start(["run"] + arguments + ["--server", server.name, "--osc", "127.0.0.1:0"])
    guard let line = child.errors.line(containing: "multiroute: ready"),
      let place = line.split(separator: " ").first(where: { $0.hasPrefix("osc=") })
    else { throw NotReady(error: child.errors.text) }
    endpoint = String(place.dropFirst(4).prefix { $0 != "," })
  }

  /// The messages of a router that did not become ready.
  struct NotReady: Error { let error: String }

  /// Runs a client command with this router.
  func client(_ arguments: String...) throws -> ProgramHome.Result {
    try program.run(arguments + ["--to", endpoint])
  }

  /// Ends the router with SIGTERM. Returns the exit code; nil if that took longer than `seconds`.
  func stop(_ signal: Int32 = SIGTERM, seconds: Double = 10) -> Int32? {
    child.send(signal: signal)
    return child.wait(seconds: seconds)
  }
}
