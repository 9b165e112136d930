public import OSC

extension OSCArgument {
  /// Types an argument as a person expects: `1` int, `-6.5` float, `true` boolean, the rest text; `s:1` forces text.
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

  /// As printed alone: text as it is.
  var plain: String {
    switch self {
    case .string(let text), .symbol(let text): text
    default: description
    }
  }

  /// As printed among others: text in quotes where its ends would not be seen.
  var word: String {
    switch self {
    case .string(let text), .symbol(let text):
      text.isEmpty || text.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "\\" })
        ? "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" : text
    default: description
    }
  }
}

extension Sequence<OSCArgument> {
  /// As printed behind an address.
  var words: String { map(\.word).joined(separator: " ") }
}
