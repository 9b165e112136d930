/// What a parameter accepts and answers; one row of the leaf kinds of the osc contract, section 1.
public enum Kind: Equatable, Sendable {
  /// dB from -90 (off) to the parameter's maximum; above is refused.
  case level
  /// Clamped to the range.
  case number(ClosedRange<Double>)
  /// A number of its own, clamped to the range, or `inherit` for the router's.
  case inheritable(ClosedRange<Double>)
  /// Refused outside the range.
  case integer(ClosedRange<Int>)
  case toggle
  /// One of these names, in the published order.
  case choice([String])
  case text
  /// One or more texts, `none` for an empty list.
  case texts
  /// Acts; has no value.
  case trigger
  /// Acts on its arguments; the signature is for people.
  case command(String)
  /// Peaks in dBFS, one per channel, sent to subscribers only.
  case meter(channels: Bool)

  /// The range of a number.
  public var numbers: ClosedRange<Double>? {
    switch self {
    case .number(let range), .inheritable(let range): range
    default: nil
    }
  }

  /// What the reference calls it.
  public var name: String {
    switch self {
    case .level: "level"
    case .number: "number"
    case .inheritable: "number or inherit"
    case .integer: "integer"
    case .toggle: "switch"
    case .choice: "choice"
    case .text: "text"
    case .texts: "texts"
    case .trigger: "trigger"
    case .command: "command"
    case .meter: "meter"
    }
  }

  /// The type tags a get is answered with.
  public var tags: String {
    switch self {
    case .level, .number, .inheritable: "f"
    case .integer, .toggle: "i"
    case .choice, .text: "s"
    case .texts: "s..."
    case .trigger, .command: ""
    case .meter(let channels): channels ? "f..." : "f"
    }
  }
}

/// Who may change a parameter.
public enum Right: Int, Comparable, Sendable {
  case none, view, control, admin

  public static func < (left: Right, right: Right) -> Bool { left.rawValue < right.rawValue }

  /// The right of a name in the configuration.
  public init?(name: String) {
    switch name {
    case "none": self = .none
    case "view": self = .view
    case "control": self = .control
    case "admin": self = .admin
    default: return nil
    }
  }
}

/// What a recall may touch; each settable leaf belongs to exactly one.
public enum Scope: String, CaseIterable, Sendable {
  case category, active, route, gain, mute, pan, delay, limit, duck, player
}
