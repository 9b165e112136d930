public import JSON5
import Parameters
public import SessionModel

/// An event with the time at which it happened and the client that caused it. The events file and a router that is asked for its events
/// give it as the same line.
public struct EventRecord: Sendable {
  public let event: NumberedNotification
  public let stamp: TimeStamp
  /// The client whose command caused the event; nil for a fact from outside.
  public let client: String?

  public init(_ event: NumberedNotification, at stamp: TimeStamp, by client: String?) {
    (self.event, self.stamp, self.client) = (event, stamp, client)
  }

  /// One line of JSON: `{"time": "2026-11-22T20:04:05.123Z", "monotonic": 81.52, "client": "...", "event": "/event/active", "serial": 1, "session":
  /// "show", "arguments": [1, "show", 1, "app"], "text": "active show 1 app"}`. A report is also a member of its own:
  /// `"report": {"InputDeviceChange": "BuiltInMic"}`.
  public var line: String {
    let notification = event.notification
    var members = stamp.members
    if let client { members.append(("client", .string(client))) }
    members += [("event", .string(notification.address)), ("serial", .number(Double(event.serial)))]
    if let session = notification.session { members.append(("session", .string(session.name))) }
    members.append(
      ("arguments", .array([.number(Double(event.serial))] + notification.arguments.map(\.json))))
    if case .report(_, let report) = notification {
      members.append(("report", .object([JSONValue.Member(report.key.rawValue, .string(report.value))])))
    }
    members.append(("text", .string(notification.sentence)))
    return JSONLine.text(members)
  }
}

extension TimeStamp {
  /// The first members of a line about this time.
  public var members: [(name: String, value: JSONValue)] {
    [("time", .string(text)), ("monotonic", .number((monotonic * 1e6).rounded() / 1e6))]
  }
}

extension EventArgument {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let number): .number(Double(number))
    case .text(let text): .string(text)
    case .number(let number): .number(number)
    }
  }
}
