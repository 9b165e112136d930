import Checkout
import Foundation
import TestKit

/// The `multiroute` program as a child, with folders of its own so that nothing of the user's is read or written.
enum Program {
  /// Starts it.
  ///
  /// - Parameter launcher: a program and its words, which prepare the process and then become the program.
  static func start(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    launcher: [String] = []
  ) throws -> ChildProcess {
    var variables = environment.merging(["MULTIROUTE_SHARE": Checkout.file("")]) { given, _ in given }
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] { variables[name] = folder.file(name) }
    // Routers of other tests, and the user's own, must not be found.
    if variables["XDG_RUNTIME_DIR"] == nil { variables["XDG_RUNTIME_DIR"] = try Self.runtime(in: folder) }
    variables["NO_COLOR"] = "1"
    let words = launcher + [Self.path] + arguments
    return try ChildProcess(words[0], Array(words.dropFirst()), environment: variables, isUnderTest: true)
  }

  /// The path of the program: the one of the tests' build, or of the optimised build for `make soak`.
  private static let path =
    ProcessInfo.processInfo.environment["MULTIROUTE_PROGRAM"] ?? ChildProcess.product("multiroute")

  /// The folder that stands for `XDG_RUNTIME_DIR`. The name is short, as the path of a socket may have only 107 bytes.
  static func runtime(in folder: TemporaryFolder) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.file("run"), withIntermediateDirectories: true)
    return folder.file("run")
  }

  /// The result of a run.
  struct Result {
    var code: Int32?
    var output: String
    var errors: String
  }

  /// Runs the program to its end.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String: String] = [:],
    launcher: [String] = [], seconds: Double = 20
  ) throws -> Result {
    let child = try start(
      arguments, in: try folder ?? TemporaryFolder(), environment: environment, launcher: launcher)
    let code = child.wait(seconds: seconds)
    return Result(code: code, output: child.output.text, errors: child.errors.text)
  }
}
