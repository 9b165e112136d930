import SessionModel

/// The audio thread competes with every other program.
struct MissingPriority: HealthCheck {
  static let rule = HealthRule.priority

  func sentence(_ view: HealthView) -> String? {
    guard view.state.server.isRunning, view.facts.isRealtime == false else { return nil }
    return
      "the audio thread has no real-time priority, so any program can break up the sound; start jackd with -R as a user of the group audio (`multiroute doctor` tells how)"
  }
}
