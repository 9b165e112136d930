import ControlInterface
import JSON5
import Parameters
import SessionModel

extension NumberedNotification {
  /// The notification as one line of JSON: `{"time": "...", "event": "/event/active", "arguments": [1, "show", 1, "app"]}`, with
  /// `"client"` if a client's command caused it.
  func json(at time: String, by client: String?) -> String {
    let arguments = notification.arguments.map { argument -> JSONValue in
      switch argument {
      case .integer(let number): .number(Double(number))
      case .text(let text): .string(text)
      case .number(let number): .number(number)
      }
    }
    return JSONLine.text(
      [("time", .string(time))] + (client.map { [("client", .string($0))] } ?? []) + [
        ("event", .string(notification.address)),
        ("arguments", .array([.number(Double(serial))] + arguments)),
      ])
  }
}

/// Writes an object as one line of JSON.
enum JSONLine {
  static func text(_ members: [(name: String, value: JSONValue)]) -> String {
    "{" + members.map { "\"\($0.name)\": \(oneLine($0.value))" }.joined(separator: ", ") + "}"
  }

  /// Removes the newline at the end. Simple values and lists of them have no other.
  private static func oneLine(_ value: JSONValue) -> String { String(value.text.filter { $0 != "\n" }) }
}
