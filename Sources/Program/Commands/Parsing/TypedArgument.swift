public import OSC
import SessionModel

extension OSCArgument {
  /// Chooses the type of an argument by its text: `1` is an int, `-6.5` a float, `true` a boolean, anything else text. `s:1` is the text 1.
  public init(typed text: String) {
    if text.hasPrefix("s:") {
      self = .string(String(text.dropFirst(2)))
    } else if let integer = PlainNumber.integer(text) {
      self = Int32(exactly: integer).map(OSCArgument.int32) ?? .int64(Int64(integer))
    } else if let decimal = PlainNumber.decimal(text) {
      self = .float(Float(decimal))
    } else if text == "true" || text == "false" {
      self = .boolean(text == "true")
    } else {
      self = .string(text)
    }
  }

  /// The value as printed alone: text without quotes, with escaped control characters.
  var plain: String {
    switch self {
    case .string(let text), .symbol(let text): text.printable
    default: description
    }
  }

  /// The value as printed among others: text in quotes if it is empty or has blanks.
  var word: String {
    switch self {
    case .string(let text), .symbol(let text):
      text.isEmpty || text.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "\\" })
        ? "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").printable)\"" : text.printable
    default: description
    }
  }
}

extension Sequence<OSCArgument> {
  /// The values as printed after an address.
  var words: String { map(\.word).joined(separator: " ") }
}
