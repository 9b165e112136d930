import OSC
import Parameters
import SessionModel

/// The lamp of a button that sets several switches by a pattern, such as a mute group. Its address is the pattern.
struct GroupLamp: Sendable {
  let pattern: AddressPattern
  /// 1 if all switches of the pattern are on, 0.5 if some are, 0 if none is.
  var value: Float
  /// The value that was sent last; nil if the client must get the present one.
  private var sent: Float?
  private var nextFlush = 0.0

  /// Greatest number of lamps of a client. A further one replaces the oldest.
  static let capacity = 64
  /// Least time between two messages, in seconds.
  private static let interval = 1 / Subscription.usualRate

  init(_ pattern: AddressPattern, value: Float) { (self.pattern, self.value) = (pattern, value) }

  /// When the rate allows the value to be sent; nil if it is sent already.
  var nextDue: Double? { value == sent ? nil : nextFlush }

  /// The message that is due; nil if none is.
  mutating func take(at time: Double) -> OSCMessage? {
    guard let due = nextDue, time >= due else { return nil }
    (sent, nextFlush) = (value, time + Self.interval)
    return OSCMessage(pattern.text, .float(value))
  }

  /// Makes the client get the present value once more.
  mutating func repeatValue() { sent = nil }
}

extension AddressTree {
  /// The value of the lamp of a pattern.
  func lamp(of pattern: AddressPattern, _ moment: Moment) -> Float {
    let switches = (find(pattern, in: moment.state, limit: .max) ?? []).filter(\.isSwitch)
    let lit = switches.count { $0.read(moment) == Value.flag(true).arguments }
    return lit == 0 ? 0 : lit == switches.count ? 1 : 0.5
  }
}

extension Match {
  /// Whether the leaf is a switch that can be set and read.
  var isSwitch: Bool { aspect == .value && parameter.kind == .toggle && parameter.isWritable }
}
