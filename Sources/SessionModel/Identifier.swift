/// The name of a session, stream or port: a slug that an OSC address can carry.
///
/// A slug is `[a-z0-9][a-z0-9_-]{0,31}` (osc contract, section 2). The phantom parameter keeps a session's id from being used
/// where a port's is meant.
public struct Identifier<Subject>: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The slug as written in addresses and presets.
  public let name: String

  /// Accepts a slug, or returns nil when `name` is not one.
  @inlinable public init?(_ name: some StringProtocol) {
    guard Self.isSlug(name) else { return nil }
    self.name = String(name)
  }

  /// Makes the nearest slug to any text, for ports that are found by themselves.
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
    name = slug.isEmpty ? "port" : slug
  }

  public var description: String { name }

  public static func < (left: Self, right: Self) -> Bool { left.name < right.name }

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
  /// Traps when the literal is no slug: a literal is the programmer's own.
  public init(stringLiteral name: String) {
    precondition(Self.isSlug(name), "\(name) is not a slug")
    self.name = name
  }
}

/// Names a session.
public typealias SessionID = Identifier<Session>
/// Names a stream within its session.
public typealias StreamID = Identifier<SessionStream>
/// Names an output or input port; a device that has both directions uses one id for both.
public typealias PortID = Identifier<Port>
