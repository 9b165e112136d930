/// Splits lines into words. Spaces separate words; a word with spaces is in double quotes, and `\` precedes a quote within a word.
enum Words {
  /// Splits a line; nil if a closing quote is missing.
  static func split(_ line: String) -> [String]? {
    var (words, word): ([String], String?) = ([], nil)
    var (isQuoted, isEscaped) = (false, false)
    for character in line {
      switch character {
      case _ where isEscaped:
        word = (word ?? "") + String(character)
        isEscaped = false
      case "\\": isEscaped = true
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted, "\t" where !isQuoted:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    return isQuoted || isEscaped ? nil : words
  }

  /// A name in quotes, such that `split` reads it as one word.
  static func quote(_ name: String) -> String {
    var quoted = "\""
    for character in name {
      if character == "\"" || character == "\\" { quoted += "\\" }
      quoted.append(character)
    }
    return quoted + "\""
  }
}
