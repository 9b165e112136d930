/// Numbers, literals and keys without quotes.
extension JSON5Parser {
  /// Reads scalars up to white space or punctuation.
  mutating func takeWord() -> String {
    let start = index
    while let next, next.isWord { index += 1 }
    return text[start..<index]
  }

  /// The number or literal at the next scalar; unreadable if it is neither.
  mutating func word() throws(Stop) -> PositionedValue.Kind {
    let start = index
    let word = takeWord()
    let end = index
    let literal = Self.literal(word)
    let phrase = takePhrase(from: start, isLiteral: literal != nil)
    // `-6 dB` and `multi route` are one mistake each. `1 key: 2` is a different one: a missing comma.
    guard let literal, phrase == word || phrase.contains(":") else {
      return try unreadable(phrase, at: start)
    }
    index = end
    if case .number(let number, _) = literal, !number.isFinite {
      try report(at: start, "\(word.shortened) is not a finite number", "write a finite one")
      return .unreadable
    }
    return literal
  }

  /// Reads the rest of what looks like one item, up to a comma, bracket, quote, comment or line end. The `/*`
  /// in `ardour:master/*` starts no comment; the one in `1/*` does.
  private mutating func takePhrase(from start: Int, isLiteral: Bool) -> String {
    var end = index
    while let next, !next.isLineTerminator, !next.isQuote, !",;{}[]".unicodeScalars.contains(next) {
      if next == "/" || next == "#", isLiteral || text.scalars[index - 1].isSpace { break }
      index += 1
      if !next.isSpace { end = index }
    }
    index = end
    return text[start..<end]
  }

  private mutating func unreadable(_ phrase: String, at start: Int) throws(Stop) -> PositionedValue.Kind {
    guard !text.isMalformed(start..<index), let first = phrase.unicodeScalars.first else {
      return .unreadable
    }
    let looksNumeric = ("0"..."9").contains(first) || "+-.\u{2212}".unicodeScalars.contains(first)
    if let next, next.isQuote {
      try reportGrammar(
        at: start, "\(phrase.shortened)\(next) has no quote before it", "write \(phrase.quoted)")
      index += 1
    } else if looksNumeric {
      try reportGrammar(
        at: start, "\(phrase.shortened) is not a number",
        "write a number such as -6 or 0.5, without a unit or leading zeros")
    } else if let literal = ["true", "false", "null"].first(where: { $0 == phrase.lowercased() }) {
      try reportGrammar(at: start, "\(phrase.shortened) is not known", "write \(literal)")
    } else {
      try reportGrammar(at: start, "\(phrase.shortened) is text without quotes", "write \(phrase.quoted)")
    }
    return .unreadable
  }

  /// The meaning of a word, or nil. A number may be infinite or NaN.
  static func literal(_ word: String) -> PositionedValue.Kind? {
    switch word {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    case "Infinity", "+Infinity": .number(.infinity, isInteger: false)
    case "-Infinity": .number(-.infinity, isInteger: false)
    case "NaN", "+NaN", "-NaN": .number(.nan, isInteger: false)
    default: number(word)
    }
  }

  /// A number of JSON5 (section 6 of its specification). The check comes first, since `Double` accepts more.
  private static func number(_ word: String) -> PositionedValue.Kind? {
    var rest = word.utf8[...]
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func take(_ accepted: String) -> Bool {
      guard let first = rest.first, accepted.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func takeDigits() -> Int {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    _ = take("+-")
    var isInteger = true
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
      let digits = rest.dropFirst(2)
      guard !digits.isEmpty, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
        return nil
      }
    } else {
      let startsWithZero = rest.first == UInt8(ascii: "0")
      let whole = takeDigits()
      guard whole <= 1 || !startsWithZero else { return nil }
      var digits = whole
      if take(".") {
        isInteger = false
        digits += takeDigits()
      }
      guard digits > 0 else { return nil }
      if take("eE") {
        isInteger = false
        _ = take("+-")
        guard takeDigits() > 0 else { return nil }
      }
      guard rest.isEmpty else { return nil }
    }
    return Double(word).map { .number($0, isInteger: isInteger) }
  }

  /// The name of a key without quotes; nil if the key needs quotes (ECMAScript 5.1, section 7.6).
  static func identifier(_ word: String) -> String? {
    var name = String.UnicodeScalarView()
    var rest = word.unicodeScalars[...]
    while var scalar = rest.popFirst() {
      if scalar == "\\" {
        let digits = rest.dropFirst().prefix(4)
        guard rest.first == "u", digits.count == 4, let value = digits.hexadecimal,
          let escaped = Unicode.Scalar(value)
        else { return nil }
        rest = rest.dropFirst(5)
        scalar = escaped
      }
      guard scalar.isIdentifierPart(isFirst: name.isEmpty) else { return nil }
      name.append(scalar)
    }
    return name.isEmpty ? nil : String(name)
  }
}

extension Collection<Unicode.Scalar> {
  /// The value of hexadecimal digits; nil if one of the characters is not a digit.
  var hexadecimal: UInt32? {
    reduce(UInt32?.some(0)) { value, digit in
      guard let value, digit.isASCII, let next = Character(digit).hexDigitValue else { return nil }
      return value << 4 | UInt32(next)
    }
  }
}

extension Unicode.Scalar {
  fileprivate func isIdentifierPart(isFirst: Bool) -> Bool {
    if self == "$" || self == "_" { return true }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
      return true
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return !isFirst
    default: return !isFirst && (self == "\u{200C}" || self == "\u{200D}")
    }
  }
}
