/// Decimal numbers as people write them. Hexadecimal numbers, infinities and NaN are refused.
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

  /// The number that a text such as `-6 dB`, `-6dB` or `-6,5` means; nil if the text does not begin with a number.
  static func correction(of text: String) -> String? {
    let decimals = text.replacing(",", with: ".", maxReplacements: 1)
    let number = decimals.prefix { ($0.isASCII && $0.isNumber) || "+-.".contains($0) }
    return decimal(String(number)).map { _ in String(number) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
