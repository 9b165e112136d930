public import OSC

/// Messages at times, for `render`: a line each, seconds and a message as for `send`, such as `2.5 /session/announce/active 1`.
///
/// Words are separated by blanks; one with blanks stands in double quotes and is text. Empty lines and what begins with `#`
/// count for nothing.
public struct Script: Equatable, Sendable {
  /// In the order of their times; those of one time in the order of the file.
  public let messages: [TimedMessage]

  /// A message and when it is sent.
  public struct TimedMessage: Equatable, Sendable {
    /// Seconds from the start.
    public var time: Double
    public var message: OSCMessage
  }

  /// Reads a file.
  /// - Throws: `CommandFailure` unreadableFile, or badPreset with every line that is wrong.
  public static func read(_ path: String) throws(CommandFailure) -> Script {
    try Script(text: String(decoding: try Files.read(path), as: UTF8.self), file: path)
  }

  /// Reads a text; `file` is what problems begin with.
  /// - Throws: `CommandFailure` badPreset with every line that is wrong.
  public init(text: String, file: String) throws(CommandFailure) {
    var messages: [TimedMessage] = []
    var problems: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      do throws(ScriptLine.Mistake) {
        if let message = try ScriptLine.read(line) { messages.append(message) }
      } catch {
        problems.append("\(file):\(index + 1): \(error.what)")
      }
    }
    guard problems.isEmpty else { throw CommandFailure(.badPreset, problems) }
    // Stable, so that what is sent at one time keeps its order.
    self.messages = messages.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element)
  }
}

/// One line of a script.
private enum ScriptLine {
  /// What is wrong with a line, and what would be right.
  struct Mistake: Error { let what: String }

  /// A word, and whether it stood in quotes.
  typealias Word = (text: String, isQuoted: Bool)

  /// The message of a line; nil if there is none.
  static func read(_ line: Substring) throws(Mistake) -> Script.TimedMessage? {
    let words = try words(line)
    guard let first = words.first else { return nil }
    guard !first.isQuoted, let time = PlainNumber.decimal(first.text), time >= 0 else {
      throw Mistake(
        what: "'\(first.text)' is no time; begin with seconds, such as 2.5 /session/show/active 1")
    }
    guard words.count > 1, !words[1].isQuoted, words[1].text.hasPrefix("/") else {
      throw Mistake(what: "an OSC address is missing behind the time; write one such as /session/show/active")
    }
    let arguments = words.dropFirst(2).map {
      $0.isQuoted ? OSCArgument.string($0.text) : OSCArgument(typed: $0.text)
    }
    return Script.TimedMessage(time: time, message: OSCMessage(words[1].text, arguments))
  }

  private static func words(_ line: Substring) throws(Mistake) -> [Word] {
    var words: [Word] = []
    var rest = line[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first, first != "#" else { return words }
      if first == "\"" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "\"") else {
          throw Mistake(what: "a quote is never closed; add it")
        }
        words.append((String(rest[..<end]), true))
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append((String(word), false))
        rest = rest.dropFirst(word.count)
      }
    }
  }
}
