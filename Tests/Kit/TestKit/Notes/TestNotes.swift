import Foundation
import Testing

/// Notes that a test run prints at its end, in addition to the runner's own lines (`.ci/report.sh`).
///
/// Each note is a line of the file that `MULTIROUTE_TEST_NOTES` names: a kind, a tab, and the text.
public enum TestNotes {
  private enum Kind: String {
    /// A gap in the sound that the server caused: the test as a filter of the runner, its name, and where, with tabs between. The test runs
    /// again when no other one does (`.ci/test.sh`).
    case excuse
    /// Seconds for which a test held a place for servers, a tab, and the test's name.
    case held
    /// A fact about the machine that matters for the results.
    case remark
  }

  /// Notes that a test passed despite a gap in the sound, and where.
  public static func excuse(_ text: String) { add(.excuse, "\(currentFilter)\t\(currentTest)\t\(text)") }

  /// Notes a fact about the machine.
  public static func remark(_ text: String) { add(.remark, text) }

  /// Notes how long a test held a place for servers, without its wait for the place.
  static func held(_ duration: Duration, by test: String) {
    add(.held, "\(duration / .seconds(1))\t\(test)")
  }

  /// The running test's name in the runner's spelling, without quotes.
  static var currentTest: String { Test.current.map { $0.displayName ?? $0.name } ?? "no test" }

  /// The running test as the runner's `--filter` names it, `Target.Suite/function()`.
  private static var currentFilter: String {
    // The identifier ends with a slash and the place in the file.
    Test.current.map { $0.id.description.split(separator: "/").dropLast().joined(separator: "/") }
      ?? "no test"
  }

  private static func add(_ kind: Kind, _ text: String) {
    let line = "\(kind)\t\(text.split(separator: "\n").joined(separator: " "))\n"
    guard let path = ProcessInfo.processInfo.environment["MULTIROUTE_TEST_NOTES"] else {
      if kind != .held { FileHandle.standardError.write(Data(line.utf8)) }
      return
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    // One call, so that lines of simultaneous tests do not mix.
    _ = line.withCString { write(file, $0, strlen($0)) }
    close(file)
  }
}
