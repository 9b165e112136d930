import OSC
import Parameters
import SessionModel

/// What a client wants to hear of.
struct Subscription: Sendable {
  /// As sent; empty for everything but meters.
  let text: String
  let pattern: AddressPattern?
  let port: UInt16
  /// Least time between two messages of one address, seconds.
  let interval: Double
  var changed = Registry<String, Match>()
  var nextFlush = 0.0
  /// Peaks since the last message, by meter address.
  var heldMeters: [String: [Float]] = [:]
  /// The meters' lamps that were lit, or not, since the last message.
  var heldLamps: [String: Bool] = [:]
  var nextMeters = 0.0

  init(_ pattern: AddressPattern?, port: UInt16, rate: Double) {
    (text, self.pattern, self.port) = (pattern?.text ?? "", pattern, port)
    interval = 1 / min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
  }

  /// Hz when none was asked for.
  static let usualRate = 30.0
  private static let rates = 0.1...1_000.0

  func wants(_ address: String) -> Bool {
    guard let pattern else { return !address.hasPrefix("/meter/") || address == "/meter/rate" }
    return pattern.matchesPrefix(of: address)
  }

  /// Whether it may want something below an address of these parts.
  func mayWant(below parts: [String]) -> Bool { pattern?.mayMatch(below: parts) ?? true }

  /// Whether it may want meters; without a pattern it never does.
  var mayWantMeters: Bool { pattern?.parts.first?.matches("meter") ?? false }

  /// Whether there is something to send, now or as soon as its rate allows.
  var isWaiting: Bool { !changed.isEmpty || hasHeldMeters }

  var hasHeldMeters: Bool { !heldMeters.isEmpty || !heldLamps.isEmpty }

  /// The messages of what was held, which then is no longer.
  mutating func takeMeters() -> [OSCMessage] {
    let peaks = heldMeters.sorted { $0.key < $1.key }.map {
      OSCMessage($0.key, $0.value.map(OSCArgument.float))
    }
    let lamps = heldLamps.sorted { $0.key < $1.key }.map {
      OSCMessage($0.key, Value.flag($0.value).arguments)
    }
    (heldMeters, heldLamps) = ([:], [:])
    return peaks + lamps
  }
}

/// A snapshot that is being sent; values are read when their packet goes.
struct Snapshot: Sendable {
  let pattern: String
  let port: UInt16
  var rest: ArraySlice<Match>
  var count = 0
}
