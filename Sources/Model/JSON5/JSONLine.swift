/// Writes an object as one line of JSON.
public enum JSONLine {
  /// - Parameter members: simple values, and lists and objects of them.
  public static func text(_ members: [(name: String, value: JSONValue)]) -> String {
    "{" + members.map { "\"\($0.name)\": \(oneLine($0.value))" }.joined(separator: ", ") + "}"
  }

  private static func oneLine(_ value: JSONValue) -> String {
    switch value {
    case .object(let members): text(members.map { ($0.key, $0.value) })
    // Its only newline is the one at the end.
    default: String(value.text.filter { $0 != "\n" })
    }
  }
}
