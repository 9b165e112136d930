extension StringProtocol {
  /// The text with each character written as `\u{1B}` that a terminal would obey instead of showing it.
  ///
  /// Other programs choose the names of their JACK ports. Such a name may contain escape sequences, line breaks, and marks that turn the
  /// direction of the text (Unicode TR 36, "Bidirectional Text Spoofing").
  public var printable: String {
    guard unicodeScalars.contains(where: \.isHazardous) else { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      text += scalar.isHazardous ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal obeys the character instead of showing it.
  fileprivate var isHazardous: Bool {
    switch properties.generalCategory {
    // Control characters, marks of direction and other invisible ones, and separators of lines and paragraphs.
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
