import Foundation
import Processes
import SystemCalls
import Testing

/// A program that runs as a child, with lines in, lines out and an exit code.
///
/// It ends when the test releases it. A program under test is asked to end and waited for. The test fails if
/// the program crashed, was ended by a sanitizer or does not end. Any other program is killed.
public final class ChildProcess {
  /// The system could not start the program.
  public struct CannotStart: Error, CustomStringConvertible {
    public var program: String
    public var reason: String
    public var description: String { "cannot start \(program): \(reason)" }
  }

  /// The process number.
  public var identifier: Int32 { child.identifier }
  /// The lines of standard output.
  public let output: LineReader
  /// The lines of standard error.
  public let errors: LineReader
  private let child: Child
  private let end: ChildEnd
  private let isUnderTest: Bool
  private let words: [String]
  private var signals: Set<Int32> = []
  private var isJudged = false

  /// Seconds that a program under test may take to end, even on a busy machine.
  private static let patience = 20.0

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to look up in PATH.
  ///   - environment: variables in addition to ours.
  ///   - isUnderTest: whether the test fails if the program does not end properly.
  /// - Throws: `CannotStart`.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    isUnderTest: Bool = false
  ) throws {
    self.isUnderTest = isUnderTest
    words = [program] + arguments
    var run = ChildProgram(program, arguments)
    run.variables = environment.map { "\($0)=\($1)" }
    (run.input, run.output, run.error) = (.us, .us, .us)
    do throws(SystemError) { child = try Child(run) } catch {
      throw CannotStart(program: program, reason: error.reason)
    }
    output = LineReader(child, child.output)
    errors = LineReader(child, child.error)
    end = ChildEnd(of: child)
  }

  deinit {
    endInput()
    if isUnderTest {
      finish()
    } else {
      send(signal: SIGKILL)
      _ = end.wait(seconds: 5)
    }
  }

  /// Asks a program under test to end and waits for it. Fails the test if the program did not end properly.
  /// Repeatable.
  public func finish() {
    guard !isJudged else { return }
    isJudged = true
    send(signal: SIGTERM)
    let code = wait(seconds: Self.patience)
    let program = "\(words.joined(separator: " ")) (process \(identifier))"
    if let fault = ProgramEnd(code: code, signals: signals, errors: errors.text).fault {
      Issue.record("\(program): \(fault); it said: \(errors.text.suffix(2_000))")
    }
    guard code == nil else { return }
    send(signal: SIGKILL)
    _ = end.wait(seconds: 5)
  }

  /// The path of an executable of this package, in the folder of the running tests.
  public static func product(_ name: String) -> String {
    var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    if !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent(name).path) {
      // The toolchain's test runner loads the tests from the first path in the command line.
      let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
      folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }
    return folder.appendingPathComponent(name).path
  }

  public var isRunning: Bool { end.wait(seconds: 0) == nil }

  /// Sends a line to standard input; false if the child no longer reads.
  @discardableResult
  public func send(_ line: String) -> Bool {
    child.write(Array((line + "\n").utf8))
  }

  /// Closes standard input.
  public func endInput() { child.endInput() }

  /// Sends a signal, unless the child has ended.
  public func send(signal number: Int32) {
    guard isRunning else { return }
    signals.insert(number)
    child.send(SignalNumber(rawValue: number))
  }

  /// Waits for the end. Returns the exit code, or minus the number of the signal that ended the child; nil
  /// after `seconds`.
  ///
  /// All output of the child has then arrived, unless its own children hold its streams open.
  public func wait(seconds: Double = 10) -> Int32? {
    guard let code = end.wait(seconds: seconds) else { return nil }
    _ = (output.waitForEnd(seconds: 2), errors.waitForEnd(seconds: 2))
    return code
  }
}
