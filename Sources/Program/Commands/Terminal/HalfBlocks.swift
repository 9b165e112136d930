/// A black and white picture in a terminal: each character shows two pixels, one above the other.
enum HalfBlocks {
  /// The quiet zone of a QR code, in modules (ISO/IEC 18004 asks for four; every reader takes two on a screen).
  private static let margin = 2

  /// The lines of a picture with a light margin: what is drawn is light.
  ///
  /// - Parameter isColoured: whether the lines set white on black; a terminal without colours is taken for a dark one.
  static func lines(_ isDark: [Bool], width: Int, isColoured: Bool) -> [String] {
    let range = -margin..<width + margin
    func dark(_ x: Int, _ y: Int) -> Bool {
      (0..<width).contains(x) && (0..<width).contains(y) && isDark[y * width + x]
    }
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      let blocks = range.map { x in
        switch (dark(x, y), dark(x, y + 1)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }
      return isColoured ? "\u{1B}[97;40m\(blocks.joined())\u{1B}[0m" : blocks.joined()
    }
  }
}
