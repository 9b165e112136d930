package import Parameters
import SessionModel

/// The object `kept` of a kept state, which is not part of ordinary presets.
struct KeptEntry: Sendable {
  var head: KeptHead
  /// Sessions in the order in which they became active.
  var active: [SessionID] = []
  /// Sessions that were interrupted, in the order in which that happened.
  var interrupted: [SessionID] = []
  /// Sessions that were inactive because their programs were absent.
  var waiting: [SessionID] = []
  /// Interruptions from outside the router, in the order in which they began.
  var interruptions: [Interruption] = []
  /// Streams without a route of their own, which the law places.
  var placed: [(session: SessionID, stream: StreamID)] = []
  /// Ports that the router found without an entry in `ports`.
  var found: [Direction: Registry<PortID, PortEntry>] = [:]
  /// The router's own settings, without a preset key.
  var settings: [SettingEntry] = []
  /// Guards and maxima of ids that did not exist.
  var remembered: [(session: SessionID, limits: RememberedLimits.Limits)] = []
}

/// A setting, by the address of its parameter.
struct SettingEntry: Sendable {
  let parameter: Parameter
  let target: Target
  let value: Value
  let place: Place

  /// The event that carries out the setting; nil if the parameter does not take the value.
  var event: Event? { try? parameter.event(setting: value, at: target, storing: false) }

  /// Whether both are about the same leaf.
  func isSame(as other: SettingEntry) -> Bool {
    target == other.target && parameter.address == other.parameter.address
  }

  func isInForce(in state: RouterState, _ time: Double) -> Bool {
    parameter.isInForce(value, at: target, in: state, time, storing: false)
  }
}

extension Parameter {
  /// The address, with names in place of the placeholders.
  package func address(at target: Target) -> String {
    parts.map { part in "/" + (Placeholder(rawValue: String(part))?.name(in: target) ?? String(part)) }
      .joined()
  }

  /// The target of an address of this parameter; nil for an address of another parameter.
  func target(of address: [Substring]) -> Target? {
    let parts = parts
    guard parts.count == address.count else { return nil }
    var target = Target()
    for (part, name) in zip(parts, address) {
      if let placeholder = Placeholder(rawValue: String(part)) {
        guard let filled = placeholder.fill(String(name), into: target) else { return nil }
        target = filled
      } else if part != name {
        return nil
      }
    }
    return target
  }
}

extension Placeholder {
  /// The name that a target has for this placeholder.
  func name(in target: Target) -> String? {
    switch self {
    case .session: target.session?.name
    case .stream: target.stream?.name
    case .output: target.output?.name
    case .input: target.input?.name
    case .other: target.other?.name
    case .source: target.source?.name
    case .capture: target.capture?.name
    case .preset: target.preset?.name
    case .player: target.player?.name
    case .recorder: target.recorder?.name
    case .group: target.group?.name
    case .channel: target.channel.map { "\($0)" }
    case .strip: target.strip.map { "\($0)" }
    case .bank: target.bank.map { "\($0)" }
    case .talkback: target.talkback?.name
    case .effect: target.effect.map { "\($0)" }
    case .control: target.control
    }
  }
}
