/// Compiles the text of one part to nodes.
struct PartCompiler {
  private let codes: [UInt8]
  private let text: String
  private var position = 0
  private var nodes: [AddressPattern.Node] = []

  /// Makes a compiler of a part, which contains no slash.
  init(_ text: String) {
    self.text = text
    codes = Array(text.utf8)
  }

  /// Whether the character has a special meaning in a pattern.
  static func isWildcard(_ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Whether the character stands for itself: it is printable and OSC 1.0 does not reserve it.
  static func isPlain(_ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: " "), UInt8(ascii: "#"), UInt8(ascii: ","): false
    default: (0x20..<0x7f).contains(code) && !isWildcard(code)
    }
  }

  /// Compiles the whole part.
  mutating func compile() throws(PatternError) -> [AddressPattern.Node] {
    guard !codes.isEmpty else { throw .emptyPart }
    for scalar in text.unicodeScalars where !isPrintable(scalar) { throw .badCharacter(scalar) }
    // A plain name needs no nodes, because it is compared as text. Most addresses consist of plain names.
    if !codes.contains(where: Self.isWildcard) {
      for code in codes { _ = try literal(code) }
      return []
    }
    while let code = next() {
      switch code {
      case UInt8(ascii: "*"):
        if nodes.last != .star { nodes.append(.star) }
      case UInt8(ascii: "?"):
        nodes.append(.single(.all))
      case UInt8(ascii: "["):
        nodes.append(.single(try set()))
      case UInt8(ascii: "{"):
        try alternatives()
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        throw .strayBracket(Unicode.Scalar(code))
      default:
        nodes.append(.single(try literal(code)))
      }
    }
    return nodes
  }

  /// Compiles the set after a `[`. Only a leading `!` and a `-` between two characters are special.
  private mutating func set() throws(PatternError) -> ScalarSet {
    var set = ScalarSet()
    var isEmpty = true
    var isInverted = false
    if peek() == UInt8(ascii: "!") {
      isInverted = true
      position += 1
    }
    while let first = next() {
      if first == UInt8(ascii: "]") {
        guard !isEmpty else { throw .emptySet }
        return isInverted ? set.inverted : set
      }
      isEmpty = false
      _ = try literal(first)
      var last = first
      if peek() == UInt8(ascii: "-"), let end = peek(1), end != UInt8(ascii: "]") {
        _ = try literal(end)
        guard first <= end else {
          throw .reversedRange(Unicode.Scalar(first), Unicode.Scalar(end))
        }
        last = end
        position += 2
      }
      set.insert(first...last)
    }
    throw .unclosedBracket
  }

  /// Compiles the alternatives after a `{`: literal texts between commas, which may be empty.
  private mutating func alternatives() throws(PatternError) {
    guard let end = codes[position...].firstIndex(of: UInt8(ascii: "}")) else { throw .unclosedBrace }
    let words = codes[position..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    position = end + 1
    // A jump to the end of the alternatives follows each word.
    let fork = nodes.count
    let after = fork + 1 + words.reduce(0) { $0 + $1.count + 1 }
    var starts: [Int] = []
    nodes.append(.fork([]))
    for word in words {
      starts.append(nodes.count)
      for code in word { nodes.append(.single(try literal(code))) }
      nodes.append(.jump(after))
    }
    nodes[fork] = .fork(starts)
  }

  /// Reads a character that stands for itself. A character that OSC 1.0 reserves is an error.
  private func literal(_ code: UInt8) throws(PatternError) -> ScalarSet {
    guard Self.isPlain(code) else { throw .badCharacter(Unicode.Scalar(code)) }
    return ScalarSet(code)
  }

  private func isPrintable(_ scalar: Unicode.Scalar) -> Bool { (0x20..<0x7f).contains(scalar.value) }

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < codes.count ? codes[position + distance] : nil
  }

  private mutating func next() -> UInt8? {
    guard let code = peek() else { return nil }
    position += 1
    return code
  }
}
