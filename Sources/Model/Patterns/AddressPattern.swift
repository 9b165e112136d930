/// A compiled OSC 1.0 pattern: `?`, `*`, `[set]` and `{one,other}` within each part of an address.
///
/// No wildcard matches a slash. Matching takes time proportional to the product of both lengths at most.
public struct AddressPattern: Hashable, Sendable {
  /// Greatest length of a pattern, in characters.
  public static let maximumLength = 1_024

  /// The pattern as written.
  public let text: String

  /// The parts between the slashes, from the left.
  public let parts: [Part]

  /// Compiles a pattern. A plain address is a pattern, too.
  /// - Throws: `PatternError` if the text is malformed.
  public init(_ text: String) throws(PatternError) {
    guard text.utf8.first == UInt8(ascii: "/") else { throw .noLeadingSlash }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
    var parts: [Part] = []
    for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      parts.append(try Part(String(Substring(part))))
    }
    self.text = text
    self.parts = parts
  }

  /// Whether the pattern is a plain address.
  public var isLiteral: Bool { parts.allSatisfy(\.isLiteral) }

  /// Whether the text is a well-formed plain address. The result equals `isLiteral` of the compiled pattern, but nothing is compiled.
  public static func isPlain(_ text: String) -> Bool {
    let slash = UInt8(ascii: "/")
    var last: UInt8 = 0
    for code in text.utf8 {
      guard last == 0 ? code == slash : code != slash || last != slash else { return false }
      guard code == slash || PartCompiler.isPlain(code) else { return false }
      last = code
    }
    return last != 0 && last != slash && text.utf8.count <= maximumLength
  }

  /// Whether the text contains wildcards. It may be malformed.
  public static func isPattern(_ text: some StringProtocol) -> Bool {
    text.utf8.contains(where: PartCompiler.isWildcard)
  }

  /// Whether the pattern matches the whole address.
  public func matches(_ address: String) -> Bool {
    matches(address.utf8.span, prefixSuffices: false)
  }

  /// Whether the pattern matches the address or an address above it, which is how subscriptions use patterns.
  public func matchesPrefix(of address: String) -> Bool {
    matches(address.utf8.span, prefixSuffices: true)
  }

  /// Whether the pattern may match an address that begins with these parts, or an address above such a one.
  public func mayMatch(below parts: [String]) -> Bool {
    zip(self.parts, parts).allSatisfy { $0.matches($1) }
  }

  private func matches(_ address: Span<UInt8>, prefixSuffices: Bool) -> Bool {
    let slash = UInt8(ascii: "/")
    guard !address.isEmpty, address[0] == slash else { return false }
    var start = 1
    for (index, part) in parts.enumerated() {
      var end = start
      while end < address.count, address[end] != slash { end += 1 }
      guard part.matches(address.extracting(start..<end)) else { return false }
      let isLast = index == parts.count - 1
      if end == address.count { return isLast }
      if isLast { return prefixSuffices }
      start = end + 1
    }
    return false
  }
}

extension AddressPattern: CustomStringConvertible {
  public var description: String { text }
}
