import SessionModel

/// The audio server came back with another sample rate.
struct ChangedRate: HealthCheck {
  static let rule = HealthRule.rate
  /// The rate of the run's first server, in Hz.
  private var expected: Int?

  mutating func sentence(_ view: HealthView) -> String? {
    guard view.state.server.isRunning else { return nil }
    let rate = view.state.server.rate
    let first = expected ?? rate
    expected = first
    return rate == first
      ? nil
      : "the audio server runs at \(rate) Hz and not at \(first) Hz as before; set its rate back, unless that is meant"
  }
}
