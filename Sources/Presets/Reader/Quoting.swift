/// How text of a document is shown in messages: short, and harmless to a terminal.
extension String {
  /// At most 48 characters, with an ellipsis where something is left out; control characters as escapes.
  var shortened: String {
    let limit = 48
    var shown = ""
    for scalar in unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        shown += scalar.escaped(asASCII: true)
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return unicodeScalars.dropFirst(limit).isEmpty ? shown : shown + "..."
  }

  /// The shortened text between double quotes.
  var quoted: String { "\"\(shortened)\"" }
}

extension Double {
  /// The number as a person writes it: without a fraction if it has none.
  var plain: String { Int(exactly: self).map(String.init) ?? description }
}
