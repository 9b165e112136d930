public import OSC

/// Timed messages for `render`. Each line has a time in seconds and a message as for `send`, such as `2.5 /session/announce/active 1`.
///
/// `LineWord` says what a word is. Empty lines and comments are skipped.
public struct Script: Equatable, Sendable {
  /// Messages ordered by time; those with equal times are in the order of the file.
  public let messages: [TimedMessage]

  /// A message and the time at which it is sent.
  public struct TimedMessage: Equatable, Sendable {
    /// Seconds from the start.
    public var time: Double
    public var message: OSCMessage
    /// The line of the file, counted from 1.
    public var line: Int
  }

  /// The name of the file, for messages.
  public let file: String

  /// Reads a script file.
  /// - Throws: `CommandFailure` unreadableFile, or badPreset with every wrong line.
  public static func read(_ path: String) throws(CommandFailure) -> Script {
    try Script(text: String(decoding: try Files.read(path), as: UTF8.self), file: path)
  }

  /// Reads a script from text. Problems begin with `file`.
  /// - Throws: `CommandFailure` badPreset with every wrong line.
  public init(text: String, file: String) throws(CommandFailure) {
    var messages: [TimedMessage] = []
    var problems: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      do throws(ScriptLine.Mistake) {
        if let message = try ScriptLine.read(line, index + 1) { messages.append(message) }
      } catch {
        problems.append("\(file):\(index + 1): \(error.what)")
      }
    }
    guard problems.isEmpty else { throw CommandFailure(.badPreset, problems) }
    self.file = file
    // Sorts by time and then by line, so that messages with equal times keep their order.
    self.messages = messages.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element)
  }
}

/// One line of a script.
private enum ScriptLine {
  /// The mistake in a line, and its cure.
  struct Mistake: Error { let what: String }

  /// Reads the message of a line; nil if the line is empty or a comment.
  static func read(_ line: Substring, _ number: Int) throws(Mistake) -> Script.TimedMessage? {
    let words: [LineWord]
    do throws(LineWord.Unclosed) { words = try LineWord.words(of: line) } catch {
      throw Mistake(what: error.what)
    }
    guard let first = words.first else { return nil }
    guard !first.isQuoted, let time = PlainNumber.decimal(first.text), time >= 0 else {
      throw Mistake(
        what: "'\(first.text)' is not a time; begin with seconds, such as 2.5 /session/show/active 1")
    }
    guard words.count > 1, words[1].isAddress else {
      throw Mistake(what: "an OSC address is missing after the time; write one such as /session/show/active")
    }
    let message = OSCMessage(words[1].text, words.dropFirst(2).map(\.argument))
    return Script.TimedMessage(time: time, message: message, line: number)
  }
}
