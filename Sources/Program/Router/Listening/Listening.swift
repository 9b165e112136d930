/// Tells which sessions sound, what is measured of the audio loop, how healthy the router is, and when it must read the audio thread's
/// measurements.
struct Listening {
  var sounds = SoundWatch()
  var loop = LoopMonitor()
  let health: HealthMonitor
  /// Time of the last reading, in seconds since the start.
  private var last = 0.0

  /// Seconds between two readings: `urgent` while meters or signals need them, otherwise `usual`.
  private static let (urgent, usual) = (0.02, 0.25)

  init(health: HealthMonitor) { self.health = health }

  /// Notes the time of a reading.
  mutating func note(at time: Double) { last = time }

  /// Time of the next reading, in seconds since the start.
  func next(isUrgent: Bool) -> Double { last + (isUrgent ? Self.urgent : Self.usual) }
}
