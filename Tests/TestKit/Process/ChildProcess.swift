import Foundation
import Spawn

/// A program run as a child: lines in, lines out, an exit code; killed when the test lets go of it.
public final class ChildProcess {
  /// The system could not start the program.
  public struct CannotStart: Error, CustomStringConvertible {
    public var program: String
    public var reason: String
    public var description: String { "cannot start \(program): \(reason)" }
  }

  /// The process id.
  public let identifier: Int32
  /// Lines of standard output.
  public let output: LineReader
  /// Lines of standard error.
  public let errors: LineReader
  private var input: Int32
  private let end: ChildEnd

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up in PATH.
  ///   - environment: variables on top of ours.
  /// - Throws: `CannotStart`.
  public init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Sockets, since their ends are closed in other children from the start and writing to a dead one need not raise a signal.
    let pairs = (0..<3).map { _ in
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      socketpair(AF_UNIX, kind, 0, &ends)
      return (ours: ends[0], theirs: ends[1])
    }
    let spawned = ChildSpawn(
      path: program, arguments: [program] + arguments, environment: variables.map { "\($0)=\($1)" },
      input: pairs[0].theirs, output: pairs[1].theirs, error: pairs[2].theirs
    ).start()
    for pair in pairs { close(pair.theirs) }
    switch spawned {
    case .success(let identifier): self.identifier = identifier
    case .failure(let failure):
      for pair in pairs { close(pair.ours) }
      throw CannotStart(program: program, reason: String(cString: strerror(failure.code)))
    }
    input = pairs[0].ours
    output = LineReader(FileHandle(fileDescriptor: pairs[1].ours, closeOnDealloc: true))
    errors = LineReader(FileHandle(fileDescriptor: pairs[2].ours, closeOnDealloc: true))
    end = ChildEnd(of: identifier)
  }

  deinit {
    endInput()
    send(signal: SIGKILL)
    _ = end.wait(seconds: 5)
  }

  /// The path of an executable that this package builds, beside the tests that run.
  public static func product(_ name: String) -> String {
    var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    if !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent(name).path) {
      // The test runner of the toolchain loads the tests from the command line's first path.
      let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
      folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }
    return folder.appendingPathComponent(name).path
  }

  public var isRunning: Bool { end.wait(seconds: 0) == nil }

  /// Sends a line to standard input; false if nobody reads it any more.
  @discardableResult
  public func send(_ line: String) -> Bool {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Closes standard input.
  public func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Sends a signal, if the child is still running.
  public func send(signal number: Int32) { if isRunning { kill(identifier, number) } }

  /// Waits for the end; the exit code, minus the signal's number if one ended it, or nil after `seconds`.
  ///
  /// Everything the child itself printed has then arrived, unless its own children hold its streams open.
  public func wait(seconds: Double = 10) -> Int32? {
    guard let code = end.wait(seconds: seconds) else { return nil }
    _ = (output.waitForEnd(seconds: 2), errors.waitForEnd(seconds: 2))
    return code
  }
}
