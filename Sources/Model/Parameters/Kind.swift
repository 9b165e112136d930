/// The values that a parameter accepts and answers; one row of docs/develop/law/osc.md#2-leaf-kinds.
public enum Kind: Equatable, Sendable {
  /// dB from -90 (off) to the parameter's maximum. A higher level is refused.
  case level
  /// A number, clamped to the range.
  case number(ClosedRange<Double>)
  /// A number, clamped to the range, or `inherit` for the router's value.
  case inheritable(ClosedRange<Double>)
  /// A number, clamped to the range, or `off` for no limit.
  case limit(ClosedRange<Double>)
  /// An integer; values outside the range are refused.
  case integer(ClosedRange<Int>)
  case toggle
  /// A switch, or `inherit` for the value of something else.
  case inheritableToggle
  /// One of these names, in the published order.
  case choice([String])
  case text
  /// One or more texts, `none` for an empty list.
  case texts
  /// One or more of these names, `none` for an empty list.
  case names([String])
  /// One or more entries of JACK ports, `none` for an empty list (`ProgramPorts`, `StreamSource`).
  case programPorts
  /// One or more effects as text, `none` for an empty list (`Effect`).
  case effects
  /// Starts an action; has no value.
  case trigger
  /// Starts an action with arguments. The signature is for people.
  case command(String)
  /// Peaks in dBFS, one per channel; sent to subscribers only.
  case meter(channels: Bool)

  /// The word for a limit that does not limit.
  public static let noLimit = "off"

  /// A choice among the cases of an enumeration.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> Kind {
    .choice(type.allCases.map(\.rawValue))
  }

  /// The range of a number.
  public var numbers: ClosedRange<Double>? {
    switch self {
    case .number(let range), .inheritable(let range), .limit(let range): range
    default: nil
    }
  }

  /// The kind's name in the reference.
  public var name: String {
    switch self {
    case .level: "level"
    case .number: "number"
    case .inheritable: "number or inherit"
    case .limit: "number or off"
    case .integer: "integer"
    case .toggle: "switch"
    case .inheritableToggle: "switch or inherit"
    case .choice: "choice"
    case .text: "text"
    case .texts: "texts"
    case .names: "names"
    case .programPorts: "ports"
    case .effects: "effects"
    case .trigger: "trigger"
    case .command: "command"
    case .meter: "meter"
    }
  }

  /// The OSC type tags of the answer to a get.
  public var tags: String {
    switch self {
    case .level, .number, .inheritable, .limit: "f"
    case .integer, .toggle, .inheritableToggle: "i"
    case .choice, .text: "s"
    case .texts, .names, .programPorts, .effects: "s..."
    case .trigger, .command: ""
    case .meter(let channels): channels ? "f..." : "f"
    }
  }
}

/// The permission that a change of a parameter takes. With `mix` a host may only present a token or a passcode.
public enum Right: Int, Comparable, Sendable {
  case none, mix, view, control, admin

  public static func < (left: Right, right: Right) -> Bool { left.rawValue < right.rawValue }

  /// The permission of a name in the configuration.
  public init?(name: String) {
    switch name {
    case "none": self = .none
    case "mix": self = .mix
    case "view": self = .view
    case "control": self = .control
    case "admin": self = .admin
    default: return nil
    }
  }
}
