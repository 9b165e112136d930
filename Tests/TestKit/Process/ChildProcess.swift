import Foundation

/// A program run as a child: lines in, lines out, an exit code; killed when the test lets go of it.
public final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  /// Lines of standard output.
  public let output: LineReader
  /// Lines of standard error.
  public let errors: LineReader
  private let ended = DispatchSemaphore(value: 0)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up in PATH.
  ///   - environment: variables on top of ours.
  ///   - directory: where it runs, nil for here.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    directory: String? = nil
  ) throws {
    process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
    process.arguments = program.contains("/") ? arguments : [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, outputPipe, errorPipe)
    process.terminationHandler = { [ended] _ in ended.signal() }
    // Writing to a child that has ended must be an error, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    output = LineReader(outputPipe.fileHandleForReading)
    errors = LineReader(errorPipe.fileHandleForReading)
  }

  deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

  /// The path of an executable that this package builds, beside the tests that run.
  public static func product(_ name: String) -> String {
    var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let isThere = { FileManager.default.isExecutableFile(atPath: $0) }
    if !isThere(folder.appendingPathComponent(name).path) {
      // The test runner of the toolchain loads the tests from the command line's first path.
      let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
      folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }
    return folder.appendingPathComponent(name).path
  }

  public var identifier: Int32 { process.processIdentifier }
  public var isRunning: Bool { process.isRunning }

  /// Sends a line to standard input.
  public func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Closes standard input.
  public func endInput() { try? input.fileHandleForWriting.close() }

  /// Sends a signal.
  public func send(signal number: Int32) { Foundation.kill(identifier, number) }

  /// Waits for the end; the exit code, minus the signal's number if one ended it, or nil after `seconds`.
  public func wait(seconds: Double = 10) -> Int32? {
    if process.isRunning {
      guard ended.wait(timeout: .now() + seconds) == .success else { return nil }
      ended.signal()
    }
    process.waitUntilExit()
    _ = (output.waitForEnd(seconds: 2), errors.waitForEnd(seconds: 2))
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
}
