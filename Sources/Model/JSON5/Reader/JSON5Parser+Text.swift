/// Texts in quotes, and their escapes.
extension JSON5Parser {
  /// Reads the text whose opening quote is the next scalar. Returns nil, and skips the line, if the end is
  /// uncertain.
  mutating func string() throws(Stop) -> String? {
    let start = index
    let quote = text.scalars[start]
    index += 1
    if quote.isTypographicQuote {
      try reportGrammar(at: start, "\(quote) is a typographic quote, which JSON5 does not know", "write \"")
    }
    var content = String.UnicodeScalarView()
    while let next, !next.endsLine {
      if next == quote || (quote.isTypographicQuote && next.isQuote) {
        index += 1
        return try isProperEnd(of: String(content), at: start) ? String(content) : nil
      }
      if next == "\\" {
        if let scalar = try escape() { content.append(scalar) }
      } else {
        content.append(next)
        index += 1
      }
    }
    // The earlier lines of the text are read correctly; only the line without the closing quote is in doubt.
    while index > start + 1, !text.scalars[index - 1].endsLine { index -= 1 }
    try skipLine(
      at: start, "this text is never closed", "write \(quote) at its end, and \\n for a new line in it")
    return nil
  }

  /// Whether the text's end is certain: a text directly followed by more text lacks a quote, or has one too
  /// many.
  private mutating func isProperEnd(of content: String, at start: Int) throws(Stop) -> Bool {
    guard let next, next.isWord || next.isQuote else { return true }
    let follower = next.isWord ? takeWord().shortened : next.shown
    try skipLine(
      at: start, "the text \(content.quoted) is directly followed by \(follower)",
      "close each text with the quote it began with, and write \\\" for a quote within")
    return false
  }

  /// The scalar of the escape at the next backslash; nil for a line continuation, which stands for no scalar.
  private mutating func escape() throws(Stop) -> Unicode.Scalar? {
    let start = index
    index += 1
    guard let letter = next else { return nil }
    index += 1
    switch letter {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "\r":
      if next == "\n" { index += 1 }
      return nil
    case "\n", "\u{2028}", "\u{2029}": return nil
    case "0" where !isDigit(next): return "\0"
    case "0"..."9":
      try report(
        at: start, "\\\(letter) is not an escape of JSON5", "write \\x or \\u and hexadecimal digits")
      return "\u{FFFD}"
    case "x": return try hexadecimal(2, from: start).flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}"
    case "u": return try utf16(from: start)
    default: return letter
    }
  }

  private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }

  private mutating func hexadecimal(_ count: Int, from start: Int) throws(Stop) -> UInt32? {
    let digits = text.scalars.dropFirst(index).prefix(count)
    guard digits.count == count, let value = digits.hexadecimal else {
      try report(
        at: start, "\\\(text.scalars[start + 1]) is not followed by \(count) hexadecimal digits",
        "write them, or \\\\ for a backslash")
      return nil
    }
    index += count
    return value
  }

  /// A scalar from its UTF-16 code, or from two codes that form a pair.
  private mutating func utf16(from start: Int) throws(Stop) -> Unicode.Scalar? {
    guard let first = try hexadecimal(4, from: start) else { return "\u{FFFD}" }
    if let scalar = Unicode.Scalar(first) { return scalar }
    let rest = text.scalars.dropFirst(index).prefix(6)
    if first < 0xDC00, rest.starts(with: "\\u".unicodeScalars), rest.count == 6,
      let second = rest.dropFirst(2).hexadecimal, (0xDC00...0xDFFF).contains(second)
    {
      index += 6
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }
    try report(at: start, "this escape is half of a pair", "write both halves, or the character itself")
    return "\u{FFFD}"
  }
}
