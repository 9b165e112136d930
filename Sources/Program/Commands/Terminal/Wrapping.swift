/// Wraps text at blanks.
enum Wrapping {
  /// Lines of at most `width` characters; a longer word gets a line of its own.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// A term and its meaning, both indented. The meaning starts at `column`.
  static func entry(_ term: String, _ meaning: String, column: Int, width: Int) -> [String] {
    let indentation = String(repeating: " ", count: column)
    let meanings = lines(meaning, width: width - column)
    let head = "  \(term)"
    guard head.count + 2 <= column, let first = meanings.first else {
      return [head] + meanings.map { indentation + $0 }
    }
    return [head + String(repeating: " ", count: column - head.count) + first]
      + meanings.dropFirst().map { indentation + $0 }
  }
}
