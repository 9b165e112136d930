import OSC

/// A word of a line that people write. Blanks separate words, double quotes enclose a text that contains blanks, and `#` begins a comment.
struct LineWord: Equatable {
  var text: String
  var isQuoted: Bool

  /// A quote without an end.
  struct Unclosed: Error {
    let what = "a quote is not closed; add a closing one"
  }

  /// The words of a line.
  static func words(of line: Substring) throws(Unclosed) -> [LineWord] {
    var words: [LineWord] = []
    var rest = line[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first, first != "#" else { return words }
      if first == "\"" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "\"") else { throw Unclosed() }
        words.append(LineWord(text: String(rest[..<end]), isQuoted: true))
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(LineWord(text: String(word), isQuoted: false))
        rest = rest.dropFirst(word.count)
      }
    }
  }

  /// The word as an argument of a message: a word in quotes is text.
  var argument: OSCArgument { isQuoted ? .string(text) : OSCArgument(typed: text) }

  /// Whether the word is an address or a pattern.
  var isAddress: Bool { !isQuoted && text.hasPrefix("/") }
}
