import Foundation

/// A program that runs until the test releases it or the test process dies, in whatever way.
///
/// A shell waits at the other end of a pipe. The system closes the pipe when this process ends, and the shell
/// then ends the program.
final class Daemon {
  private let shell: ChildProcess
  let identifier: Int32

  private static let script = """
    "$@" </dev/null &
    child=$!
    echo "pid $child"
    read -r nothing
    kill "$child" 2>/dev/null
    wait "$child"
    """

  /// Starts the program.
  ///
  /// - Throws: `ChildProcess.CannotStart`.
  init(_ words: [String], environment: [String: String]) throws {
    shell = try ChildProcess("sh", ["-c", Self.script, "sh"] + words, environment: environment)
    let line = shell.output.line(containing: "pid ")
    guard let identifier = line.flatMap({ Int32($0.dropFirst(4)) }) else {
      throw ChildProcess.CannotStart(program: words[0], reason: shell.errors.text)
    }
    self.identifier = identifier
  }

  deinit { end() }

  /// The program's output to standard error.
  var said: String { shell.errors.text }

  /// Whether the program runs. After its end it is a zombie until its shell waits for it.
  var isRunning: Bool {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    return status.map { !$0.contains(") Z ") } ?? false
  }

  /// Asks the program to end and waits for it. Kills the program if it does not end. Repeatable.
  func end() {
    guard shell.isRunning else { return }
    shell.endInput()
    if shell.wait(seconds: 5) == nil {
      kill()
      _ = shell.wait(seconds: 5)
    }
  }

  /// Kills the program at once. The shell keeps its process number until `end`.
  func kill() { if isRunning { Glibc.kill(identifier, SIGKILL) } }
}
