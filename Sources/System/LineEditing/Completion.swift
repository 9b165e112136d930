/// How the word before the cursor may go on.
public struct Completion: Hashable, Sendable {
  /// The text that is inserted at the cursor; empty if nothing is certain.
  public var insertion: String
  /// The words to choose from, if there are several.
  public var choices: [String]
  /// A line that explains the word.
  public var note: String?

  public init(insertion: String = "", choices: [String] = [], note: String? = nil) {
    (self.insertion, self.choices, self.note) = (insertion, choices, note)
  }

  /// Completes a word as far as all words that begin so have the same text.
  ///
  /// - Parameters:
  ///   - word: the part before the cursor.
  ///   - end: the text behind the word if it is the only one.
  public init(_ word: String, among words: [String], end: (String) -> String = { _ in " " }) {
    let choices = words.filter { $0.hasPrefix(word) }
    guard let first = choices.first else {
      self.init()
      return
    }
    if choices.count == 1 {
      self.init(insertion: first.dropFirst(word.count) + end(first))
      return
    }
    let common = choices.dropFirst().reduce(Substring(first)) { $0[..<$0.commonEnd(with: $1)] }
    // A word that is begun goes on as far as it can; where it cannot, or nothing is typed yet, the choices are shown.
    let insertion = word.isEmpty ? "" : String(common.dropFirst(word.count))
    self.init(insertion: insertion, choices: insertion.isEmpty ? choices : [])
  }

  /// The choices in columns, and the note, as lines of at most `width` characters.
  func lines(width: Int) -> [String] {
    let cell = (choices.map(\.count).max() ?? 0) + 2
    let columns = max(1, (width - 1) / cell)
    let rows = (choices.count + columns - 1) / columns
    let table = (0..<rows).map { row in
      let words = stride(from: row, to: choices.count, by: rows).map { choices[$0] }
      return words.dropLast().map { $0 + String(repeating: " ", count: cell - $0.count) }.joined()
        + (words.last ?? "")
    }
    return table + (note.map { [$0] } ?? [])
  }
}

extension Substring {
  /// The place up to which both texts are equal.
  fileprivate func commonEnd(with other: String) -> Index {
    var (own, place) = (startIndex, other.startIndex)
    while own < endIndex, place < other.endIndex, self[own] == other[place] {
      (own, place) = (index(after: own), other.index(after: place))
    }
    return own
  }
}
