import Commands
import EventLog
import ServiceManager
import Synchronization
import SystemCalls
import Writers

/// The router's log: standard error, or systemd's journal. A thread of its own writes it, so a stopped terminal, a pipe without a reader and a
/// stopped journal block only that thread.
struct LogStream: Sendable {
  /// A console whose standard error is this log. Its standard output is that of the console it was made from.
  let console: Console
  private let writer: LineWriter
  private let pen: Pen

  /// - Parameters:
  ///   - format: nil for an entry of the journal if standard error leads to the journal, and otherwise for text.
  ///   - journalStream: the value of `JOURNAL_STREAM`.
  init(_ console: Console, _ format: LogFormat?, journalStream: String?) {
    let standardError = LineFile(descriptor: System.standardError)
    let leadsToJournal =
      format == nil && JournalSocket.isJournal(System.standardError, stream: journalStream)
    let journal = leadsToJournal ? try? JournalSocket() : nil
    let pen = Pen(journal != nil ? .journal : format == .json ? .json : .text)
    let writer = LineWriter(name: "mr-log") { entry in
      let text =
        switch entry {
        case .line(let line): line
        case .dropped(let count): pen.write(.queueWasFull(count))
        }
      // Where there is no journal, standard error may lead somewhere all the same. If it is broken, too, no message can arrive.
      guard let journal else { return (try? standardError.append(text)) ?? () }
      let entry = JournalEntry(text: text)
      do throws(SystemError) { try journal.send(entry) } catch { try? standardError.append(entry.plainLine) }
    }
    (self.writer, self.pen) = (writer, pen)
    self.console = Console(output: console.output, error: console.error) { stream, text in
      switch stream {
      case .output: console.write(text)
      case .error:
        for line in text.split(separator: "\n") { writer.post(pen.write(String(line), .info)) }
      }
    }
  }

  /// Writes a line about an event. Any thread; never waits.
  func tell(_ line: LogLine) { writer.post(pen.write(line)) }

  /// Writes the messages of a failure.
  func tell(_ failure: CommandFailure) {
    for line in failure.lines { writer.post(pen.write(line, .error)) }
  }

  /// From now on lines of text begin with the time of day.
  func beginTimes() { pen.hasTimes.store(true, ordering: .relaxed) }

  /// Writes the waiting lines, for at most `seconds`.
  func finish(within seconds: Double) { writer.finish(within: seconds) }
}

/// Writes lines in the form of the log.
private final class Pen: Sendable {
  enum Form { case text, json, journal }

  let hasTimes = Atomic(false)
  private let form: Form
  private static let program = "multiroute: "

  init(_ form: Form) { self.form = form }

  func write(_ line: LogLine) -> String {
    switch form {
    case .text: timed(Self.program + line.sentence)
    case .json: line.json(at: System.gmtime(System.time()))
    case .journal: line.journalEntry.text
    }
  }

  /// Writes a message that a person reads as it is. Programs know without its beginning which program it comes from.
  func write(_ message: String, _ level: LogLevel) -> String {
    guard form != .text else { return timed(message) }
    let isOurs = message.hasPrefix(Self.program)
    return write(LogLine(level, isOurs ? String(message.dropFirst(Self.program.count)) : message))
  }

  private func timed(_ text: String) -> String {
    hasTimes.load(ordering: .relaxed) ? "\(System.localTime()) \(text)" : text
  }
}

extension LogLine {
  fileprivate static func queueWasFull(_ count: Int) -> LogLine {
    LogLine(.warning, "\(count) lines are missing here: the queue was full")
  }
}
