/// The colour by which surfaces show a session, stream or port.
public struct Color: Hashable, Sendable {
  /// Red, green and blue, eight bits each, red in the highest place.
  public let rgb: UInt32

  /// Reads `#rrggbb`, in upper or lower case; nil for any other text.
  public init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let rgb = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.rgb = rgb
  }

  /// The colour as `#rrggbb`, in lower case.
  public var text: String {
    let digits = String(rgb, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
