import JSON5
import Parameters
import SessionModel

extension NumberedNotification {
  /// The notification as one line of JSON: `{"event": "/event/active", "arguments": [1, "show", 1, "app"]}`.
  var json: String {
    let arguments = notification.arguments.map { argument -> JSONValue in
      switch argument {
      case .integer(let number): .number(Double(number))
      case .text(let text): .string(text)
      }
    }
    let list = JSONValue.array([.number(Double(serial))] + arguments)
    return "{\"event\": \(Self.oneLine(.string(notification.address))), \"arguments\": \(Self.oneLine(list))}"
  }

  /// Removes the newline at the end. Simple values and lists of them have no other.
  private static func oneLine(_ value: JSONValue) -> String { String(value.text.filter { $0 != "\n" }) }
}
