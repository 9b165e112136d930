/// Bytes whose order is that in which people look for names: numbers by their value, without case, accents and punctuation, and
/// `The Beatles` at B.
///
/// Two names with equal keys count as one: `The Beatles` and `beatles`.
struct SortKey: Hashable, Sendable {
  let bytes: [UInt8]

  static let none = SortKey(bytes: [])

  init(_ text: String) { self.init(bytes: text.isEmpty ? [] : Self.key(FoldedText(text).bytes[...])) }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key of a path: part by part, with `The` as it is.
  static func path(_ path: String) -> SortKey {
    let parts = path.split(separator: "/").map { natural(FoldedText(String($0)).bytes[...]) }
    return SortKey(bytes: Array(parts.joined(separator: [separator])))
  }

  /// Smaller than any byte of a key, so that shorter names come first.
  static let separator: UInt8 = 1

  private static func key(_ folded: ArraySlice<UInt8>) -> [UInt8] {
    let article = Array("the ".utf8)
    return natural(folded.starts(with: article) ? folded.dropFirst(article.count) : folded)
  }

  /// Replaces each number by a digit, its length and its digits, so that longer numbers are greater.
  private static func natural(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 8)
    var rest = text
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix(while: isDigit)
      rest = rest.dropFirst(number.count)
      let digits = number.drop { $0 == zero }.prefix(250)
      key.append(zero)
      key.append(UInt8(digits.count + 2))
      key += digits
    }
    return key
  }

  private static let zero = UInt8(ascii: "0")
  private static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= zero + 9 }
}
