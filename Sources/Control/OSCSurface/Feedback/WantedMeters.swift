import Patterns
import SessionModel

/// The meters that a subscription wants, of those that there are. They are read twenty times a second for each client, so patterns are matched
/// only when the meters or the subscription are others.
struct WantedMeters: Sendable {
  /// The layout of the board for which this holds; 0 for none.
  private(set) var layout = 0
  /// Meters of all channels.
  private(set) var levels: [String] = []
  /// Meters of all channels that outputs ask for.
  private(set) var readings: [String] = []
  /// What plugins show.
  private(set) var shown: [String] = []
  /// Strips, by the address of their meter or of its level.
  private(set) var strips: [(number: Int, isPosition: Bool, address: String)] = []
  /// Single channels, by the address of their meter and their index.
  private(set) var channels: [(meter: String, index: Int, address: String)] = []
  /// The lamps of meters: clipping, or a signal.
  private(set) var lamps: [(meter: String, isClip: Bool, address: String)] = []

  init() {}

  init(of subscription: Subscription, among board: MeterBoard) {
    layout = board.layout
    for number in Strips.numbers where subscription.mayWantStripMeters {
      let meter = "/strip/\(number)/meter"
      for (address, isPosition) in [(meter, false), ("\(meter)/level", true)]
      where subscription.wants(address) {
        strips.append((number, isPosition, address))
      }
    }
    if subscription.mayWantEffectMeters { shown = board.shown.keys.filter(subscription.wants) }
    // A subscription of everything has no meters.
    guard let pattern = subscription.pattern else { return }
    levels = board.powers.keys.filter(subscription.wants)
    for (address, reading) in board.readings {
      if subscription.wants(address) {
        readings.append(address)
      } else if reading.value == .ppm {
        choose(reading.levels.indices, of: address, for: subscription)
      }
    }
    for (address, values) in board.peaks {
      if subscription.wants(address) {
        levels.append(address)
      } else if pattern.parts.count >= 4 {
        choose(values.indices, of: address, for: subscription)
        for (name, isClip) in [("signal", false), ("clip", true)]
        where subscription.wants("\(address)/\(name)") {
          lamps.append((address, isClip, "\(address)/\(name)"))
        }
      }
    }
  }

  private mutating func choose(_ indices: Range<Int>, of meter: String, for subscription: Subscription) {
    for index in indices where subscription.wants("\(meter)/\(index + 1)") {
      channels.append((meter, index, "\(meter)/\(index + 1)"))
    }
  }
}
