import Parameters
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
  /// Sessions whose program or signal was present, so that it does not appear after the restart.
  var present: [SessionID] = []
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
