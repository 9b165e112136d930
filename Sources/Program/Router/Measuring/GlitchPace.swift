import SessionModel

/// Bounds how often glitches are told: the first at once; while they go on, after half a second, then ever more seldom, down to one in two
/// minutes. It has no clock of its own.
struct GlitchPace {
  /// The worst glitch that was not told yet.
  private var waiting: FlightRecord?
  /// When the next one may be told, and the seconds from that to the one after it.
  private var next = -Double.infinity
  private var wait = shortest

  private static let (shortest, longest) = (0.5, 128.0)
  /// After so many seconds in which one could have been told, the next ones are new.
  private static let pause = 30.0

  mutating func note(_ record: FlightRecord) {
    if waiting.map({ record.delay > $0.delay }) ?? true { waiting = record }
  }

  /// Takes the worst glitch that was not told yet; nil if there is none, or if it is too early.
  mutating func take(at time: Double) -> FlightRecord? {
    guard waiting != nil, time >= next else { return nil }
    if time - next > Self.pause { wait = Self.shortest }
    next = time + wait
    wait = min(2 * wait, Self.longest)
    return waiting.take()
  }
}
