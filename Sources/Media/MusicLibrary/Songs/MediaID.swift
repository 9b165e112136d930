/// The lasting name of a file in the library, written `id:` and 13 letters and digits.
///
/// It is made from the file's name when the file is first seen, and stays when the file is moved, renamed or gets other tags. A library that is built
/// anew gives a file that was never moved the same id.
public struct MediaID: Hashable, Sendable {
  /// Never 0.
  let number: Int64

  init(number: Int64) { self.number = number }

  /// The id of a text such as `id:0b5fk3x9m2q7w`; nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let letters = text.utf8.dropFirst(Self.prefix.utf8.count)
    guard letters.count == Self.length else { return nil }
    var number: UInt64 = 0
    for letter in letters {
      guard let digit = Self.digits.firstIndex(of: letter) else { return nil }
      guard number >> 59 == 0 else { return nil }
      number = number << 5 | UInt64(digit)
    }
    guard number != 0 else { return nil }
    self.number = Int64(bitPattern: number)
  }

  /// The id that a file of this name gets, if no other file has it.
  ///
  /// - Parameter attempt: another number for each id that was taken already.
  init(naming name: String, attempt: Int) {
    let hash = contentHash(Array(name.utf8) + (attempt == 0 ? [] : Array("\n\(attempt)".utf8)))
    number = Int64(bitPattern: hash == 0 ? 1 : hash)
  }

  private static let prefix = "id:"
  private static let length = 13
  /// Without letters that look like digits (Crockford's base 32).
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

extension MediaID: CustomStringConvertible {
  public var description: String {
    let bits = UInt64(bitPattern: number)
    let letters = (0..<Self.length).reversed().map { Self.digits[Int(bits >> (5 * UInt64($0)) & 31)] }
    return Self.prefix + String(decoding: letters, as: UTF8.self)
  }
}
