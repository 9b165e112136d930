/// A pattern for whole JACK port names. `*` stands for any text and `?` for one character, a backslash takes this meaning from the one behind it;
/// everything else stands for itself, and capitals count.
///
/// `*` also stands for `:` and `/`, because PipeWire's names contain brackets, colons and blanks.
public struct PortGlob: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Makes a pattern; nil for an empty text or one of more than 320 bytes.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 320 else { return nil }
    self.text = text
  }

  /// Makes a pattern that matches one name alone; nil for an empty name, or one that is too long.
  public init?(literal name: String) { self.init(Self.quoted(name)) }

  /// A name as a pattern that matches it alone.
  public static func quoted(_ name: String) -> String {
    // A backslash has its meaning before a wildcard, or before another one, alone.
    name.reversed().reduce(into: "") { quoted, character in
      let isSpecial =
        "*?".contains(character) || character == "\\" && quoted.last.map { "\\*?".contains($0) } == true
      quoted += isSpecial ? "\(character)\\" : "\(character)"
    }.reversed().map(String.init).joined()
  }

  public var description: String { text }

  /// Whether the pattern has a wildcard.
  public var isPattern: Bool { literal == nil }

  /// The one name that the pattern matches; nil for a pattern with a wildcard.
  public var literal: String? {
    var name: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if Self.isEscape(byte, before: rest.first), let meant = rest.popFirst() {
        name.append(meant)
      } else if byte == Self.anything || byte == Self.anyOne {
        return nil
      } else {
        name.append(byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static let (anything, anyOne, escape) = (UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\"))

  private static func isEscape(_ byte: UInt8, before next: UInt8?) -> Bool {
    byte == escape && (next == anything || next == anyOne || next == escape)
  }

  /// Whether the pattern matches the whole name. The time is proportional to the product of both lengths. `?` stands for one Unicode
  /// character.
  public func matches(_ name: String) -> Bool {
    var (text, name) = (text, name)
    return text.withUTF8 { pattern in name.withUTF8 { Self.matches(pattern, $0) } }
  }

  /// Whether the pattern means a JACK port: it matches the full name or an alias. A monitor, which repeats the sound of an output, is meant only
  /// by a pattern that contains `monitor`.
  public func accepts(_ name: String, aliases: [String]) -> Bool {
    guard matches(name) || aliases.contains(where: matches) else { return false }
    return !Self.isMonitor(name) || namesMonitors
  }

  /// Whether monitors are meant.
  public var namesMonitors: Bool { text.contains("monitor") }

  /// Whether a full name is that of a monitor.
  public static func isMonitor(_ name: String) -> Bool {
    name.drop { $0 != ":" }.dropFirst().hasPrefix("monitor")
  }

  private static func matches(
    _ pattern: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (p, n) = (0, 0)
    var (star, resume) = (-1, 0)
    while n < name.count {
      let isQuoted = p + 1 < pattern.count && isEscape(pattern[p], before: pattern[p + 1])
      if p < pattern.count, pattern[p] == anything {
        (star, resume) = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == anyOne {
        (p, n) = (p + 1, end(ofCharacterAt: n, in: name))
      } else if p < pattern.count, pattern[isQuoted ? p + 1 : p] == name[n] {
        (p, n) = (isQuoted ? p + 2 : p + 1, n + 1)
      } else if star >= 0 {
        resume = end(ofCharacterAt: resume, in: name)
        (p, n) = (star + 1, resume)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == anything }
  }

  /// The index at which the next UTF-8 character begins.
  private static func end(ofCharacterAt index: Int, in name: UnsafeBufferPointer<UInt8>) -> Int {
    var next = index + 1
    while next < name.count, name[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  /// Orders names as channels: by text, but numbers by their value, so that `out_10` comes after `out_9`.
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
