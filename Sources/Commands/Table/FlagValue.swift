/// What belongs behind a flag, and what is wrong with a text that does not.
public enum FlagValue: Hashable, Sendable {
  /// A name of at most so many bytes that JACK can use.
  case name(String, limit: Int)
  /// A path; the placeholder says of what.
  case path(String)
  /// `HOST:PORT`
  case endpoint
  /// Seconds.
  case seconds(ClosedRange<Double>)
  case integer(String, ClosedRange<Int>)
  case choice(String, [String])
  /// `SESSION.STREAM=FILE`
  case streamFile
  /// `OUTPUT=FILE`
  case outputFile

  /// What stands for it in the help.
  public var placeholder: String {
    switch self {
    case .name(let placeholder, _), .path(let placeholder), .integer(let placeholder, _),
      .choice(let placeholder, _):
      placeholder
    case .endpoint: "HOST:PORT"
    case .seconds: "N"
    case .streamFile: "SESSION.STREAM=FILE"
    case .outputFile: "OUTPUT=FILE"
    }
  }

  /// What would be right, as the end of a sentence; nil when the text is right.
  func correction(of text: String) -> String? {
    switch self {
    case .name(_, let limit):
      let isName =
        !text.isEmpty && text.utf8.count <= limit && !text.contains(":")
        && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return isName ? nil : "a name has 1 to \(limit) bytes and no colon"
    case .path: return text.isEmpty ? "a path is not empty" : nil
    case .endpoint: return Endpoint.correction(of: text)
    case .seconds(let range):
      let isIn = PlainNumber.decimal(text).map(range.contains) ?? false
      return isIn ? nil : "write seconds from \(range.lowerBound.short) to \(range.upperBound.short)"
    case .integer(_, let range):
      let isIn = PlainNumber.integer(text).map(range.contains) ?? false
      return isIn ? nil : "write a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(_, let names):
      return names.contains(text) ? nil : "write one of \(names.joined(separator: ", "))"
    case .streamFile:
      return StreamFile(text) == nil ? "write \(placeholder), such as show.click=click.wav" : nil
    case .outputFile: return OutputFile(text) == nil ? "write \(placeholder), such as usb=usb.wav" : nil
    }
  }
}
