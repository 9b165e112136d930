import JSON5
import SystemCalls

/// A line of the events file.
struct EventLine {
  /// The time of day, in seconds since 1970.
  let time: Double?
  /// The kind: the end of an event's address, such as `route`, or `set` for a setting.
  let kind: String
  /// The key of an event report, or the rule of an alarm; nil for any other event.
  let key: String?
  let session: String?
  private let text: String
  private let client: String?

  /// Nil if the text is no such line.
  init?(_ line: String) {
    guard case .object(let members)? = JSON5Reader.read(line, file: "").value?.kind else { return nil }
    func text(_ key: String) -> String? {
      if case .string(let text)? = members.first(where: { $0.key == key })?.value.kind { text } else { nil }
    }
    let (event, setting) = (text("event"), text("set"))
    guard let address = event ?? setting else { return nil }
    time = text("time").flatMap { EventTime.seconds(ofUTC: $0) }
    kind = setting != nil ? "set" : String(address.split(separator: "/").last ?? "")
    var arguments: [String] = []
    if case .array(let values)? = members.first(where: { $0.key == "arguments" })?.value.kind {
      arguments = values.map { if case .string(let text) = $0.kind { text } else { "" } }
    }
    key =
      kind == "report" && arguments.count > 2
      ? arguments[2] : kind == "health" ? arguments.dropFirst().first : nil
    session = text("session") ?? setting.flatMap { Self.session(of: $0) }
    client = text("client")
    self.text = text("text") ?? address
  }

  /// The line for people: the local time, the sentence, and the client that caused it.
  var sentence: String {
    let clock = time.map { EventTime.local($0) + " " } ?? ""
    return "\(clock) \(text)\(client.map { ", by \($0)" } ?? "")".printableLine
  }

  /// The session whose setting an address is.
  private static func session(of address: String) -> String? {
    let parts = address.split(separator: "/")
    return parts.first == "session" && parts.count > 1 ? String(parts[1]) : nil
  }
}

extension String {
  /// The text without characters that would move the cursor.
  fileprivate var printableLine: String {
    String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
  }
}
