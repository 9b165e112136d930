/// The state of reading one document, and the grammar of values. Words, texts and recovery are in extensions.
struct JSON5Parser {
  /// Thrown when further reading makes no sense. The problems contain the reason.
  struct Stop: Error {}

  let text: SourceText
  let file: String
  /// The next scalar to read.
  var index = 0
  /// The path of the value that is being read.
  var path = DocumentPath()
  var problems: [Problem] = []
  /// False once a bracket may belong elsewhere. Later problems may only follow from that and are not
  /// reported.
  var isCertain = true
  /// Whether something before the next comma was skipped, so that a missing comma is not reported.
  var hasSkipped = false
  /// The line of a mistake of grammar, until a comma, colon or bracket in it makes the meaning certain again.
  var doubtfulLine: Int?
  /// Whether the text has a comment before `index`.
  var hasComments = false

  init(text: SourceText, file: String) { (self.text, self.file) = (text, file) }

  /// The next scalar, or nil at the end.
  var next: Unicode.Scalar? { index < text.scalars.count ? text.scalars[index] : nil }

  /// Reads the whole document. Returns nil if its structure is uncertain.
  mutating func document() throws(Stop) -> PositionedValue? {
    for index in text.malformed {
      try report(at: index, "these bytes are not UTF-8", "save the file as UTF-8")
    }
    try skipTrivia()
    guard next != nil else {
      try report(at: 0, "the file is empty", "write an object between { and }")
      throw Stop()
    }
    let value = try value()
    try skipTrivia()
    if let next, isCertain {
      try reportGrammar(
        at: index, "\(next.shown) follows after the end of the document",
        "remove it, or a bracket too many before it")
      isCertain = false
    }
    return isCertain ? value : nil
  }

  /// The value that starts at the next scalar; unreadable if there is none.
  private mutating func value() throws(Stop) -> PositionedValue {
    let position = text.position(of: index)
    guard let next else { return PositionedValue(.unreadable, at: position) }
    let kind: PositionedValue.Kind
    switch next {
    case "{": kind = .object(try members())
    case "[": kind = .array(try elements())
    case _ where next.isQuote: kind = try string().map { .string($0) } ?? .unreadable
    case _ where next.isWord: kind = try word()
    case ",", "}", "]":
      try reportGrammar(at: index, "a value is missing before \(next.shown)", "write the value")
      kind = .unreadable
    default:
      try skipLine(at: index, "\(next.shown) stands where a value belongs", "write a value")
      kind = .unreadable
    }
    return PositionedValue(kind, at: position)
  }

  // MARK: Objects and arrays

  private mutating func members() throws(Stop) -> [PositionedValue.Member] {
    let opening = index
    var members: [PositionedValue.Member] = []
    var firstOf: [String: SourcePosition] = [:]
    try open()
    while try !closes("}", opening) {
      hasSkipped = false
      let keyIndex = index
      if let key = try key() {
        let position = text.position(of: keyIndex)
        path.steps.append(.key(key))
        if let first = firstOf[key], isCertain {
          try report(
            at: keyIndex, "\(key.quoted) is already given in line \(first.line)",
            "keep one of the two")
        }
        let value = try valueAfterColon()
        if firstOf.updateValue(firstOf[key] ?? position, forKey: key) == nil {
          members.append(.init(key: key, keyPosition: position, value: value))
        }
        path.steps.removeLast()
      }
      try separator { $0.isQuote || $0.isWord }
    }
    return members
  }

  private mutating func elements() throws(Stop) -> [PositionedValue] {
    let opening = index
    var elements: [PositionedValue] = []
    try open()
    while try !closes("]", opening) {
      hasSkipped = false
      path.steps.append(.index(elements.count))
      elements.append(try value())
      path.steps.removeLast()
      try separator { $0.isQuote || $0.isWord || $0 == "{" || $0 == "[" }
    }
    return elements
  }

  private mutating func open() throws(Stop) {
    // The path has a step for each open bracket.
    guard path.steps.count < JSON5Reader.depthLimit else {
      try report(at: index, "this is nested deeper than \(JSON5Reader.depthLimit) levels", "nest less deeply")
      throw Stop()
    }
    takeMark()
  }

  /// Reads a comma, colon or bracket, or a character written in its place.
  private mutating func takeMark() {
    index += 1
    (hasSkipped, doubtfulLine) = (false, nil)
  }

  /// Moves to the next item of an object or array. Returns true, and reads the bracket, if there is no
  /// further item.
  private mutating func closes(_ bracket: Unicode.Scalar, _ opening: Int) throws(Stop) -> Bool {
    try skipTrivia()
    if next == "," {
      try reportGrammar(at: index, "there is nothing before this comma", "remove the comma")
      while next == "," {
        takeMark()
        try skipTrivia()
      }
    }
    guard let next else {
      if isCertain {
        try report(
          at: opening, "this \(text.scalars[opening]) is never closed", "add the missing \(bracket)")
      }
      throw Stop()
    }
    guard next == "}" || next == "]" else { return false }
    if next != bracket, isCertain {
      let start = text.position(of: opening)
      try reportGrammar(
        at: index, "\(next) cannot close the \(text.scalars[opening]) at \(start)",
        "write \(bracket) before or instead")
      isCertain = false
    }
    takeMark()
    return true
  }

  /// Reads the comma after an item. If it is missing, `isStart` tells whether a scalar may start the next
  /// item.
  private mutating func separator(_ isStart: (Unicode.Scalar) -> Bool) throws(Stop) {
    let end = index
    try skipTrivia()
    guard let next, next != "}", next != "]" else { return }
    switch next {
    case ",": takeMark()
    case ";":
      try reportGrammar(at: index, "; stands where a comma belongs", "write ,")
      takeMark()
    case _ where hasSkipped: break
    case _ where isStart(next):
      try reportGrammar(at: end, "a comma is missing here", "write , between one value and the next")
    default:
      try skipLine(at: index, "\(next.shown) stands where a comma belongs", "write , or close the bracket")
      try skipTrivia()
      if self.next == "," { takeMark() }
    }
  }

  // MARK: Keys

  /// The key at the next scalar, or nil when there is none; then the line has been skipped.
  private mutating func key() throws(Stop) -> String? {
    guard let next else { return nil }
    if next.isQuote { return try string() }
    let start = index
    let word = takeWord()
    if word.isEmpty {
      try skipLine(at: start, "\(next.shown) stands where a key belongs", "write a key, a colon and a value")
      return nil
    }
    if let next = self.next, next.isQuote {
      try reportGrammar(at: start, "\(word.shortened)\(next) has no quote before it", "write \(word.quoted)")
      index += 1
      return word
    }
    if let key = Self.identifier(word) { return key }
    if !text.isMalformed(start..<index) {
      try reportGrammar(at: start, "the key \(word.shortened) needs quotes", "write \(word.quoted)")
    }
    return word
  }

  private mutating func valueAfterColon() throws(Stop) -> PositionedValue {
    let end = index
    if hasSkipped { return PositionedValue(.unreadable, at: text.position(of: end)) }
    try skipTrivia()
    switch next {
    case nil: return PositionedValue(.unreadable, at: text.position(of: end))
    case ":": takeMark()
    case "=":
      try reportGrammar(at: index, "= stands where a colon belongs", "write :")
      takeMark()
    case let next? where (next.isQuote || next.isWord || next == "{" || next == "[") && isSameLine(end):
      try reportGrammar(at: end, "a colon is missing here", "write : between key and value")
    default:
      try reportGrammar(at: end, "the key has no value", "write : and a value after it")
      hasSkipped = true
      return PositionedValue(.unreadable, at: text.position(of: end))
    }
    try skipTrivia()
    return try value()
  }

  private func isSameLine(_ other: Int) -> Bool {
    text.position(of: other).line == text.position(of: index).line
  }
}
