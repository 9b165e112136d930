/// Questions to the person at the terminal.
struct Interview {
  private let console: Console
  private var lines = InputLines()

  init(_ console: Console) { self.console = console }

  /// Asks for a text; an empty line, and the end of the input, mean the usual answer.
  mutating func ask(_ question: String, usual: String) throws(CommandFailure) -> String {
    console.draw("\(question)\(usual.isEmpty ? "" : " [\(usual)]"): ")
    let answer = try lines.next { false } ?? ""
    let words = answer.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? usual : words
  }

  /// Asks for a yes; anything else is a no.
  mutating func agrees(to question: String) throws(CommandFailure) -> Bool {
    try ask("\(question) (yes or no)", usual: "no").lowercased().hasPrefix("y")
  }
}
