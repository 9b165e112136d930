import Commands
import SystemCalls
import Writers

/// The router's standard error, written by a thread of its own. A stopped terminal or a pipe without a reader blocks only that thread.
struct LogStream: Sendable {
  /// A console whose standard error is this stream. Its standard output is that of the console it was made from.
  let console: Console
  private let writer: LineWriter

  init(_ console: Console) {
    let standardError = LineFile(descriptor: System.standardError)
    let writer = LineWriter(name: "mr-log") { entry in
      // A failure is ignored: standard error itself is broken, so no message can arrive.
      switch entry {
      case .line(let line): try? standardError.append(line)
      case .dropped(let count):
        try? standardError.append("multiroute: \(count) lines are missing here: the queue was full")
      }
    }
    self.writer = writer
    self.console = Console(output: console.output, error: console.error) { stream, text in
      switch stream {
      case .output: console.write(text)
      case .error: writer.post(text.hasSuffix("\n") ? String(text.dropLast()) : text)
      }
    }
  }

  /// Writes the waiting lines, for at most `seconds`.
  func finish(within seconds: Double) { writer.finish(within: seconds) }
}
