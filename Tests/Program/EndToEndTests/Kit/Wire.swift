/// Builds the bytes of a packet from readable parts.
enum Wire {
  /// Text, where each `.` stands for a zero byte.
  static func text(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: ".") ? 0 : $0 }
  }

  /// Words of 32 bits, the most significant byte first.
  static func words(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// A bundle of elements, with correct sizes.
  static func bundle(_ elements: [UInt8]..., seconds: UInt32 = 0, fraction: UInt32 = 1) -> [UInt8] {
    elements.reduce(text("#bundle.") + words(seconds, fraction)) {
      $0 + words(UInt32($1.count)) + $1
    }
  }
}
