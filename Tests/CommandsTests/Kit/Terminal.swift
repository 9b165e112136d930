import Commands
import Synchronization

/// A console that remembers what was written, and may look at it as it comes.
final class Terminal: Sendable {
  private let written = Mutex<(output: String, error: String)>(("", ""))
  private let onOutput: @Sendable (String) -> Void

  init(onOutput: @escaping @Sendable (String) -> Void = { _ in }) { self.onOutput = onOutput }

  /// What went to standard output.
  var output: String { written.withLock { $0.output } }
  /// What went to standard error.
  var error: String { written.withLock { $0.error } }
  /// Standard output line by line.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  func console(_ screen: Console.Screen = Console.Screen(width: 100)) -> Console {
    Console(output: screen, error: screen) { stream, text in
      self.written.withLock { written in
        if stream == .output { written.output += text } else { written.error += text }
      }
      if stream == .output { self.onOutput(text) }
    }
  }
}

/// Runs command lines without a process.
struct Shell {
  let terminal: Terminal
  var environment = Environment(["HOME": "/nowhere"])
  var interruption = Interruption { { false } }
  var screen = Console.Screen(width: 100)

  init(_ terminal: Terminal = Terminal()) { self.terminal = terminal }

  /// Carries out a command line; the router's own commands only say what they were asked for.
  @discardableResult
  func run(_ arguments: String...) -> ExitCode { run(arguments) }

  @discardableResult
  func run(_ arguments: [String]) -> ExitCode {
    let context = Context(
      console: terminal.console(screen), environment: environment, interruption: interruption)
    let runners = Program.Runners(
      run: { $1.console.print("\($0)") }, demo: { $1.console.print("\($0)") },
      render: { $1.console.print("\($0)") })
    return Program(runners, context).execute(arguments)
  }
}
