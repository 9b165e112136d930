import ControlInterface
import OSC
import Parameters
import SessionModel

/// What a client has set about its answers and feedback (`/client/...`).
struct ClientSettings: Equatable, Sendable {
  /// Whether the lease has no end.
  var isKept = false
  var echo = Echo.settled
  /// Messages a second of one address, for subscriptions that name no rate.
  var rate = Subscription.usualRate
  var switches = SwitchFormat.integers
  var timetags = Timetags.now
  /// Whether each accepted set and command is answered by `/ok`.
  var acknowledges = false
  /// Whether feedback comes as bundles even over a transport that else sends each message by itself.
  var wantsBundles = false

  /// When a bundle with a time in the future takes effect: when it arrives, or at its time.
  enum Timetags: String, CaseIterable, Sendable {
    case now, honour
  }

  /// The value of a setting as the arguments of an answer.
  ///
  /// - Parameter port: the port to which feedback goes.
  func arguments(of setting: ClientSetting, port: UInt16) -> [OSCArgument] {
    switch setting {
    case .port: [.int32(Int32(port))]
    case .keep: switches.arguments(of: isKept)
    case .echo: [.string(echo.rawValue)]
    case .rate: [.float(Float(rate))]
    case .boolean: [.string(switches.rawValue)]
    case .timetags: [.string(timetags.rawValue)]
    case .ack: switches.arguments(of: acknowledges)
    case .bundles: switches.arguments(of: wantsBundles)
    }
  }
}

extension SwitchFormat {
  func arguments(of isOn: Bool) -> [OSCArgument] {
    switch self {
    case .integers: [.int32(isOn ? 1 : 0)]
    case .floats: [.float(isOn ? 1 : 0)]
    case .tags: [.boolean(isOn)]
    }
  }

  /// A message with the reading of a leaf.
  func message(_ match: Match, _ reading: [OSCArgument]) -> OSCMessage {
    guard self != .integers, match.isLit, case .int32(let number)? = reading.first else {
      return OSCMessage(match.address, reading)
    }
    return OSCMessage(match.address, arguments(of: number != 0))
  }
}

extension Match {
  /// Whether the leaf is either on or off.
  fileprivate var isLit: Bool {
    switch aspect {
    case .lamp: true
    case .value: [.toggle, .inheritableToggle].contains(parameter.kind)
    default: false
    }
  }
}
