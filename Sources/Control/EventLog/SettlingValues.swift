import ControlInterface
import JSON5
import Parameters
import SessionModel

/// The settings that clients have set and may still be moving.
///
/// A fader that moves for ten seconds is one line, with the value at which it came to rest.
struct SettlingValues {
  private var waiting = Registry<String, Waiting>()

  private struct Waiting {
    let setting: SettingAddress
    let client: String
    /// The value that the client has set; nil if it fades there.
    let value: Value?
    var due: Double
  }

  /// Seconds without another set after which a value has settled.
  static let rest = 1.0

  /// When `takeSettled` must be called next, in seconds of the router's time; nil if no setting waits.
  var nextDue: Double? { waiting.values.map(\.due).min() }

  /// - Parameter state: the state after the client's command. What the law or another client changes later is not this client's value.
  mutating func note(_ author: Authorship, _ state: RouterState, at time: Double) {
    for setting in author.settings {
      let isMoving = setting.isMoving(in: state, at: time)
      waiting[setting.address] = Waiting(
        setting: setting, client: author.client, value: isMoving ? nil : setting.value(in: state, at: time),
        due: time + Self.rest)
    }
  }

  /// Takes the settings that have been at rest long enough, with their values.
  mutating func takeSettled(_ state: RouterState, at time: Double) -> [SettledValue] {
    var settled: [SettledValue] = []
    for var entry in waiting.values where entry.due <= time {
      let address = entry.setting.address
      if entry.value == nil, entry.setting.isMoving(in: state, at: time) {
        entry.due = time + Self.rest
        waiting[address] = entry
        continue
      }
      waiting[address] = nil
      // The object may be removed by now.
      guard let value = entry.value ?? entry.setting.value(in: state, at: time) else { continue }
      settled.append(SettledValue(address: address, client: entry.client, value: value))
    }
    return settled
  }
}

/// A setting at rest, and the client that has set it.
struct SettledValue {
  let address: String
  let client: String
  let value: Value

  private var sentence: String { "\(address) is \(value.words)" }

  var line: LogLine {
    LogLine(
      .debug, "\(sentence), by \(client)".printable,
      subjects: [.init(.set, address), .init(.client, client)])
  }

  /// `{"time": "...", "monotonic": 86.03, "client": "...", "set": "/session/show/gain", "arguments": [-6], "text": "..."}`.
  func json(at stamp: TimeStamp) -> String {
    JSONLine.text(
      stamp.members + [
        ("client", .string(client)), ("set", .string(address)),
        ("arguments", .array(value.json)), ("text", .string(sentence)),
      ])
  }
}

extension Value {
  fileprivate var json: [JSONValue] {
    switch self {
    case .number(let number): [.number(number)]
    case .integer(let number): [.number(Double(number))]
    case .flag(let isOn): [.number(isOn ? 1 : 0)]
    case .text(let text): [.string(text)]
    case .texts(let texts): texts.map { .string($0) }
    case .numbers(let numbers): numbers.map { .number(Double($0)) }
    }
  }

  fileprivate var words: String {
    switch self {
    case .texts(let texts) where texts.isEmpty: "none"
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: " ")
    default: json.map { $0.text.filter { $0 != "\n" } }.joined(separator: " ")
    }
  }
}
