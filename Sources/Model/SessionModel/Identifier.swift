/// The name of a session, stream or port: a slug that an OSC address can carry.
///
/// A slug is `[a-z0-9][a-z0-9_-]{0,31}` (docs/develop/law/principles.md#8-ids-and-limits). The type parameter has no value; with it the compiler refuses a
/// session's id where a port's id is expected.
public struct Identifier<Subject>: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The slug's bytes, the first one in the highest place, filled up with zeros. The policy copies and compares ids by the thousand,
  /// and numbers need neither heap memory nor reference counting.
  @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64)

  /// Makes an id from a slug; nil if `name` is not a slug.
  @inlinable public init?(_ name: some StringProtocol) {
    guard Self.isSlug(name) else { return nil }
    self.init(bytes: name.utf8)
  }

  /// Makes an id from at most 32 bytes.
  @inlinable init(bytes: some Sequence<UInt8>) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for (index, byte) in bytes.enumerated() {
      let placed = UInt64(byte) << UInt64(56 - index % 8 * 8)
      switch index / 8 {
      case 0: words.0 |= placed
      case 1: words.1 |= placed
      case 2: words.2 |= placed
      default: words.3 |= placed
      }
    }
    self.words = words
  }

  /// The slug as written in addresses and presets.
  public var name: String {
    let length = Self.length(words.0) + Self.length(words.1) + Self.length(words.2) + Self.length(words.3)
    return String(unsafeUninitializedCapacity: length) { text in
      withUnsafeBytes(
        of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
      ) { bytes in
        UnsafeMutableRawBufferPointer(text).copyBytes(from: bytes.prefix(length))
      }
      return length
    }
  }

  /// Number of bytes in a word.
  private static func length(_ word: UInt64) -> Int { 8 - word.trailingZeroBitCount / 8 }

  /// Makes the nearest slug to a text, for ports that the router finds.
  public init(slugging text: String) {
    var slug = ""
    for byte in text.lowercased().utf8 where slug.utf8.count < 32 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        slug.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        if !slug.isEmpty, !slug.hasSuffix("-") { slug += "-" }
      }
    }
    while slug.hasSuffix("-") { slug.removeLast() }
    self.init(bytes: (slug.isEmpty ? "port" : slug).utf8)
  }

  public var description: String { name }

  @inlinable public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.words < right.words }

  /// An odd number whose bits look random: the golden ratio as a fraction of 64 bits.
  @usableFromInline static var mixer: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(mixed) }

  /// What sets and dictionaries use in place of `Hasher`, which takes several times as long as the rest of a search.
  @inlinable public func _rawHashValue(seed: Int) -> Int { QuickHash.value(of: mixed, seed: seed) }

  /// The four words as one. Ids whose words mix to the same number only make a search longer.
  @inlinable var mixed: UInt64 {
    let (even, odd) = (words.0 ^ (words.2 &* Self.mixer), words.1 ^ (words.3 &* Self.mixer))
    return even ^ (odd &* Self.mixer)
  }

  /// Whether `text` is `[a-z0-9][a-z0-9_-]{0,31}`.
  @inlinable public static func isSlug(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= 32, isAlphanumeric(first) else { return false }
    return bytes.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }

  @usableFromInline static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension Identifier: ExpressibleByStringLiteral {
  /// Makes an id from a literal in the source; a literal that is no slug is a programming error and stops the program.
  public init(stringLiteral name: String) {
    precondition(Self.isSlug(name), "\(name) is not a slug")
    self.init(bytes: name.utf8)
  }
}

/// Names a session.
public typealias SessionID = Identifier<Session>
/// Names a stream within its session.
public typealias StreamID = Identifier<SessionStream>
/// Names an output or input port. A device with both directions uses one id for both.
public typealias PortID = Identifier<Port>
