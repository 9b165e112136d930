import ControlInterface
import OSC
import Parameters
import Patterns
import SessionModel

/// A pattern to which a client subscribes, with the values that wait to be sent.
struct Subscription: Sendable {
  /// The pattern as sent; an empty text means everything but meters and measured values.
  let text: String
  let pattern: AddressPattern?
  var port: UInt16
  /// Least time between two messages of one address, in seconds.
  private(set) var interval: Double
  /// Whether the subscription names a rate of its own.
  private let hasRate: Bool
  /// What the client may reach.
  private let reach: Reach
  /// Whether the subscription may match meters; without a pattern it does not.
  let mayWantMeters: Bool
  /// Whether the subscription may match meters of strips.
  let mayWantStripMeters: Bool
  /// Whether the subscription may match what plugins show. One of a whole effect has no meters.
  let mayWantEffectMeters: Bool
  /// The meters that it wants, of those that there are.
  var wantedMeters = WantedMeters()
  /// The highest peaks since the last message, by meter address.
  var heldMeters: [String: [Float]] = [:]
  /// The changed clip lamps of meters since the last message.
  var heldLamps: [String: Bool] = [:]
  var nextMeters = 0.0
  /// What the client was told of meters and lamps since the last reminder.
  private var toldMeters: [String: [Float]] = [:]
  private var toldLamps: [String: Bool] = [:]
  /// When all meters are told again, also those that have not changed: a datagram may have been lost.
  private var nextReminder = 0.0
  /// Whether the meters of all strips were held once, so that one without a target shows silence.
  var hasHeldStrips = false

  /// - Parameters:
  ///   - rate: messages a second of one address; nil for that of the client.
  ///   - usualRate: that of the client.
  init(
    _ pattern: AddressPattern?, port: UInt16, rate: Double?, usualRate: Double = Self.usualRate,
    reach: Reach = .everything
  ) {
    (text, self.pattern, self.port, self.reach) = (pattern?.text ?? "", pattern, port, reach)
    (interval, hasRate) = (1 / Self.clamped(rate ?? usualRate), rate != nil)
    let parts = pattern?.parts ?? []
    mayWantStripMeters = Self.mayMatchStripMeters(parts)
    mayWantEffectMeters = Self.mayMatchEffectMeters(parts)
    mayWantMeters =
      mayWantStripMeters || mayWantEffectMeters
      || parts.first.map { ["meter", "player", "recorder"].contains(where: $0.matches) } ?? false
  }

  private static func mayMatchStripMeters(_ parts: [AddressPattern.Part]) -> Bool {
    parts.first?.matches("strip") == true && (parts.count < 3 || parts[2].matches("meter"))
  }

  private static func mayMatchEffectMeters(_ parts: [AddressPattern.Part]) -> Bool {
    guard let first = parts.first, ["session", "output", "input"].contains(where: first.matches) else {
      return false
    }
    // Behind the address of a stream, a capture or a port.
    return [4, 3, 2].contains { place in
      parts.count > place + 2 && parts[place].matches("effect") && parts[place + 2].matches("meter")
    }
  }

  /// Follows the rate of the client, unless the subscription names its own.
  mutating func follow(_ rate: Double) { if !hasRate { interval = 1 / Self.clamped(rate) } }

  /// The nearest rate that is allowed.
  static func clamped(_ rate: Double) -> Double { min(max(rate, rates.lowerBound), rates.upperBound) }

  /// The group that has the changes of the subscription.
  var group: FeedbackGroups.Key { FeedbackGroups.Key(text: text, interval: interval, reach: reach) }

  /// The default rate, in Hz.
  static let usualRate = 30.0
  private static let rates = 0.1...1_000.0

  func wants(_ address: String) -> Bool {
    guard reach.isWhole || reach.reads(address) else { return false }
    guard let pattern else {
      return (!address.hasPrefix("/meter/") || address == "/meter/rate") && !Self.isMeasured(address)
    }
    return pattern.matchesPrefix(of: address)
  }

  /// Whether the subscription may match an address that begins with these parts.
  func mayWant(below parts: [String]) -> Bool { pattern?.mayMatch(below: parts) ?? true }

  /// When the rate allows the held meters to be sent; nil if none is held.
  var nextDue: Double? { hasHeldMeters ? nextMeters : nil }

  /// Drops what waits, because the client is away.
  mutating func forgetMeters() { (heldMeters, heldLamps, nextReminder) = ([:], [:], 0) }

  var hasHeldMeters: Bool { !heldMeters.isEmpty || !heldLamps.isEmpty }

  /// Takes the messages of the held values that differ from those told last, and once a second of all.
  mutating func takeMeters(_ switches: SwitchFormat, at time: Double) -> [OSCMessage] {
    if time >= nextReminder { (toldMeters, toldLamps, nextReminder) = ([:], [:], time + 1) }
    let peaks = heldMeters.filter { toldMeters[$0.key] != $0.value }
    let lamps = heldLamps.filter { toldLamps[$0.key] != $0.value }
    (heldMeters, heldLamps) = ([:], [:])
    toldMeters.merge(peaks) { $1 }
    toldLamps.merge(lamps) { $1 }
    return peaks.sorted { $0.key < $1.key }.map { OSCMessage($0.key, $0.value.map(OSCArgument.float)) }
      + lamps.sorted { $0.key < $1.key }.map { OSCMessage($0.key, switches.arguments(of: $0.value)) }
  }
}
