/// How messages show text of a document: short, and harmless to a terminal.
extension String {
  /// At most 48 characters, with an ellipsis for the omitted ones; control characters as escapes.
  public var shortened: String {
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
  public var quoted: String { "\"\(shortened)\"" }
}
