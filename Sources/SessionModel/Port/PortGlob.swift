/// A pattern over whole JACK port names: case-sensitive, `*` and `?` only, everything else literal.
///
/// `*` crosses `:` and `/`, because PipeWire's names contain brackets, colons and blanks.
public struct PortGlob: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Accepts any text but the empty one.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 320 else { return nil }
    self.text = text
  }

  public var description: String { text }

  /// Whether the pattern has a wildcard.
  public var isPattern: Bool { text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") } }

  /// Whether the whole name matches, in time proportional to pattern x name.
  public func matches(_ name: String) -> Bool {
    let (pattern, name) = (Array(text.unicodeScalars), Array(name.unicodeScalars))
    var (p, n) = (0, 0)
    var (star, resume) = (-1, 0)
    while n < name.count {
      if p < pattern.count, pattern[p] == "*" {
        (star, resume) = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == name[n] {
        (p, n) = (p + 1, n + 1)
      } else if star >= 0 {
        resume += 1
        (p, n) = (star + 1, resume)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }

  /// Names in the order of channels: by text, with numbers as numbers, so `out_10` comes after `out_9`.
  public static func inChannelOrder(_ left: String, _ right: String) -> Bool {
    var (a, b) = (left.utf8[...], right.utf8[...])
    while let x = a.first, let y = b.first {
      if isDigit(x), isDigit(y) {
        let (m, n) = (a.prefix(while: isDigit), b.prefix(while: isDigit))
        let (p, q) = (m.drop { $0 == UInt8(ascii: "0") }, n.drop { $0 == UInt8(ascii: "0") })
        if p.count != q.count { return p.count < q.count }
        if !p.elementsEqual(q) { return p.lexicographicallyPrecedes(q) }
        (a, b) = (a.dropFirst(m.count), b.dropFirst(n.count))
      } else if x != y {
        return x < y
      } else {
        (a, b) = (a.dropFirst(), b.dropFirst())
      }
    }
    return a.isEmpty && !b.isEmpty
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
