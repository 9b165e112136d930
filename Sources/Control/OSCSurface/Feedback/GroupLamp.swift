import OSC
import Parameters
import Patterns
import SessionModel

/// The lamp of a button that sets several switches by a pattern, such as a mute group. Its address is the pattern.
struct GroupLamp: Sendable {
  let pattern: AddressPattern
  /// Whether the state has changed since the value was computed.
  private var isStale = true
  /// The value that was sent last: 1 if all switches of the pattern are on, 0.5 if some are, 0 if none is; nil if the client must get the
  /// present one.
  private var sent: Float?
  private var nextFlush = 0.0

  /// Greatest number of lamps of a client. A further one replaces the oldest.
  static let capacity = 64
  /// Least time between two messages, in seconds.
  private static let interval = 1 / Subscription.usualRate

  init(_ pattern: AddressPattern) { self.pattern = pattern }

  /// When the value may be computed and sent; nil if the state has not changed.
  var nextDue: Double? { isStale ? nextFlush : nil }

  /// Notes that the state has changed. The value is computed only at the rate of the lamp, because a pattern may name hundreds of switches.
  mutating func noteChange() { isStale = true }

  /// The message that is due; nil if none is.
  mutating func take(at time: Double, value: (AddressPattern) -> Float) -> OSCMessage? {
    guard let due = nextDue, time >= due else { return nil }
    let value = value(pattern)
    (isStale, nextFlush) = (false, time + Self.interval)
    guard value != sent else { return nil }
    sent = value
    return OSCMessage(pattern.text, .float(value))
  }

  /// Sends nothing until the state changes again or the value must be repeated.
  mutating func forgetChange() { isStale = false }

  /// Makes the client get the present value once more.
  mutating func repeatValue() { (sent, isStale) = (nil, true) }
}

extension AddressTree {
  /// The value of the lamp of a pattern.
  func lamp(of pattern: AddressPattern, _ moment: Moment) -> Float {
    var search = LeafSearch(pattern, includesBelow: false)
    var (switches, lit) = (0, 0)
    search.run(self, in: moment.state) { match in
      guard match.isSwitch, match.isMeant(in: moment.state) else { return true }
      switches += 1
      if match.read(moment) == Value.flag(true).arguments { lit += 1 }
      return true
    }
    return lit == 0 ? 0 : lit == switches ? 1 : 0.5
  }
}

extension Match {
  /// Whether the leaf is a switch that can be set and read.
  var isSwitch: Bool { aspect == .value && parameter.kind == .toggle && parameter.isWritable }
}
