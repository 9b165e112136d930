/// Widths of texts, for drawings whose reader chooses the font.
///
/// A width is an upper bound for the usual sans-serif fonts: that of DejaVu Sans, which is among the widest, rounded up by classes of
/// characters. A real text is narrower, so texts that do not overlap by these widths do not overlap on a screen.
enum TextWidth {
  /// - Parameter size: the font's size; the width has the same unit.
  static func of(_ text: String, size: Double, isBold: Bool) -> Double {
    text.unicodeScalars.reduce(0) { $0 + ems(of: $1) } * size * (isBold ? boldness : 1)
  }

  /// A text shortened to a width, with `…` in its middle, where names differ least.
  static func shortened(_ text: String, to width: Double, size: Double, isBold: Bool) -> String {
    guard of(text, size: size, isBold: isBold) > width else { return text }
    var (head, tail) = (text.count / 2, text.count / 2)
    var short = text
    while head + tail > 0, of(short, size: size, isBold: isBold) > width {
      if head > tail { head -= 1 } else { tail -= 1 }
      short = text.prefix(head) + "…" + text.suffix(tail)
    }
    return short
  }

  /// How much wider a bold text is.
  private static let boldness = 1.18

  /// Characters by their width in ems.
  private static let classes: [(characters: String, ems: Double)] = [
    ("ijlI|'", 0.34), (" .,:;!()[]/\\-ftr", 0.42), ("cksvxyzJ*?\"`_·", 0.6),
    ("abdeghnopquLFTYPE0123456789$", 0.64), ("ABCKSXVZR{}", 0.7), ("DGHNOQUw&+<>=#~^", 0.84),
  ]

  private static func ems(of character: Unicode.Scalar) -> Double {
    for (characters, ems) in classes where characters.unicodeScalars.contains(character) { return ems }
    // Letters of Europe are about as wide as `M` at most; signs of East Asia and pictures are wider.
    return character.value < 0x2E80 ? 1 : 1.4
  }
}
