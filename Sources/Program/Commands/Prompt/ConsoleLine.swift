import OSC
import SessionModel

/// A line of `multiroute console`: an address to read or to set, or one of a few words.
enum ConsoleLine: Equatable {
  case nothing
  /// Reads the address of a line that has nothing else.
  case read(String)
  case get(String)
  case send(OSCMessage)
  case help
  /// Explains an address.
  case describe(String)
  case quit

  /// The words that begin a line, beside addresses.
  enum Word: String, CaseIterable {
    case get, send, help, quit

    /// How the word is used, and what it does.
    var explanation: (usage: String, meaning: String) {
      switch self {
      case .get: ("get ADDRESS", "reads, too")
      case .send:
        (
          "send ADDRESS [ARG...]",
          "sends, also without an argument: what a trigger such as /preset/undo needs"
        )
      case .help: ("help [ADDRESS]", "explains the console, or an address: its unit, range and meaning")
      case .quit: ("quit", "ends the console, as Ctrl-D does")
      }
    }

    /// Whether an address may follow.
    var takesAddress: Bool { self != .quit }
  }

  /// Reads a line.
  /// - Throws: `CommandFailure` usage.
  init(_ line: String) throws(CommandFailure) {
    let words: [LineWord]
    do throws(LineWord.Unclosed) { words = try LineWord.words(of: line[...]) } catch {
      throw Self.mistake(error.what)
    }
    guard let first = words.first else {
      self = .nothing
      return
    }
    if first.isAddress {
      let rest = words.dropFirst().map(\.argument)
      self = rest.isEmpty ? .read(first.text) : .send(OSCMessage(first.text, rest))
      return
    }
    guard !first.isQuoted, let word = Word(rawValue: first.text) else { throw Self.unknown(first.text) }
    if word == .help || word == .quit, words.count == 1 {
      self = word == .help ? .help : .quit
      return
    }
    guard word.takesAddress, words.count > 1, words[1].isAddress, word == .send || words.count == 2 else {
      throw Self.mistake("'\(line)' is not understood; write: \(word.explanation.usage)")
    }
    let address = words[1].text
    switch word {
    case .get: self = .get(address)
    case .send: self = .send(OSCMessage(address, words.dropFirst(2).map(\.argument)))
    case .help, .quit: self = .describe(address)
    }
  }

  private static func mistake(_ text: String) -> CommandFailure {
    CommandFailure(.usage, "multiroute: \(text)")
  }

  private static func unknown(_ word: String) -> CommandFailure {
    let near = NearestName.suggestion(for: word, among: Word.allCases.map(\.rawValue))
    let hint = near.map { "did you mean \($0)?" } ?? "did you mean /\(word)?"
    return mistake("a line begins with an address or one of \(words), not with '\(word)'; \(hint)")
  }

  private static var words: String { Word.allCases.map(\.rawValue).joined(separator: ", ") }

  /// The explanation of the console.
  static var explanation: [String] {
    let entries =
      [
        ("ADDRESS", "reads, and never fires a trigger; a pattern such as /output/*/gain reads several"),
        ("ADDRESS ARG...", "sets, and prints the applied value"),
      ] + Word.allCases.map { ($0.explanation.usage, $0.explanation.meaning) }
    return entries.flatMap { Wrapping.entry($0.0, $0.1, column: 26, width: 100) }
  }
}
