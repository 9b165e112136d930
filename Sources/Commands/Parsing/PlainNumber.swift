/// Numbers as people write them: decimal, without hexadecimal, infinities and the like.
enum PlainNumber {
  /// A whole number, with an optional sign.
  static func integer(_ text: String) -> Int? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard digits.first.map(isDigit) ?? false, digits.allSatisfy(isDigit) else { return nil }
    return Int(text)
  }

  /// A number with an optional sign, fraction and exponent; always finite.
  static func decimal(_ text: String) -> Double? {
    guard text.utf8.contains(where: isDigit),
      text.utf8.allSatisfy({ isDigit($0) || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension Double {
  /// Without a fraction where there is none.
  var short: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
