/// White space, reports, and how to continue after a problem.
extension JSON5Parser {
  /// Records a problem at a scalar.
  /// - Throws: `Stop` after too many problems.
  mutating func report(at index: Int, _ what: String, _ fix: String) throws(Stop) {
    guard problems.count < JSON5Reader.problemLimit else {
      problems.append(
        Problem(
          file: file, position: text.position(of: index), path: "",
          what: "there are more than \(JSON5Reader.problemLimit) problems; reading stops here",
          fix: "correct the first ones", aspect: .syntax))
      throw Stop()
    }
    problems.append(
      Problem(
        file: file, position: text.position(of: index), path: path.description, what: what, fix: fix,
        aspect: .syntax))
  }

  /// Records a mistake of grammar, unless it may be only a consequence of the mistake before it.
  mutating func reportGrammar(at index: Int, _ what: String, _ fix: String) throws(Stop) {
    let line = text.position(of: index).line
    if doubtfulLine == line { return }
    doubtfulLine = line
    try report(at: index, what, fix)
  }

  /// Records a problem after which the rest of the line has no certain meaning. Continues at the commas and
  /// closing brackets at the end of the line.
  mutating func skipLine(at problem: Int, _ what: String, _ fix: String) throws(Stop) {
    // Malformed bytes already have a report of their own.
    if !text.isMalformed(problem..<problem + 1) { try reportGrammar(at: problem, what, fix) }
    (isCertain, hasSkipped) = (false, true)
    let start = index
    while let next, !next.endsLine { index += 1 }
    var end = index
    while end > start {
      let scalar = text.scalars[end - 1]
      guard scalar == "," || scalar == "}" || scalar == "]" || scalar.isSpace else { break }
      end -= 1
    }
    index = end
  }

  /// Skips white space and comments.
  /// - Throws: `Stop` at a comment without an end.
  mutating func skipTrivia() throws(Stop) {
    while let next {
      switch next {
      case "/" where text.scalars.dropFirst(index + 1).first == "/":
        hasComments = true
        skipToLineEnd()
      case "/" where text.scalars.dropFirst(index + 1).first == "*":
        hasComments = true
        try skipComment()
      case "#":
        try report(at: index, "# starts no comment", "write //")
        skipToLineEnd()
      case _ where next.isSpace: index += 1
      default: return
      }
    }
  }

  private mutating func skipToLineEnd() {
    while let next, !next.isLineTerminator { index += 1 }
  }

  private mutating func skipComment() throws(Stop) {
    let start = index
    index += 2
    while let next {
      index += 1
      if next == "*", self.next == "/" {
        index += 1
        return
      }
    }
    try report(at: start, "this comment is never closed", "write */ at its end")
    throw Stop()
  }
}

extension SourceText {
  /// Whether some of the scalars replace bytes that are not UTF-8.
  func isMalformed(_ range: Range<Int>) -> Bool { malformed.contains { range.contains($0) } }
}

extension Unicode.Scalar {
  /// Whether the scalar ends a line, as editors count lines.
  var endsLine: Bool { self == "\n" || self == "\r" }

  /// A line terminator of JSON5, which ends a `//` comment.
  var isLineTerminator: Bool { endsLine || self == "\u{2028}" || self == "\u{2029}" }

  /// White space and line terminators of JSON5.
  var isSpace: Bool {
    switch self {
    case " ", "\t", "\n", "\r", "\u{B}", "\u{C}", "\u{A0}", "\u{FEFF}", "\u{2028}", "\u{2029}": true
    default: value > 127 && properties.generalCategory == .spaceSeparator
    }
  }

  /// Whether the scalar starts a text: the two quotes of JSON5, and the typographic quotes that word
  /// processors put in their place.
  var isQuote: Bool { self == "\"" || self == "'" || isTypographicQuote }

  var isTypographicQuote: Bool {
    switch self {
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}": true
    default: false
    }
  }

  /// Whether the scalar belongs to a number, a name or anything else but JSON5's punctuation.
  var isWord: Bool {
    switch self {
    case "{", "}", "[", "]", ":", ",", ";", "/", "=", "#": false
    default: !isQuote && !isSpace
    }
  }

  /// The scalar, as messages show it.
  var shown: String { String(Character(self)).shortened }
}
