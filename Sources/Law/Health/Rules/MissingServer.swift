import SessionModel

/// There is no audio server.
struct MissingServer: HealthCheck {
  static let rule = HealthRule.server
  private var absence = Stopwatch()

  /// Seconds without a server after which that is no restart.
  private static let patience = 2.0

  mutating func sentence(_ view: HealthView) -> String? {
    let seconds = absence.seconds(!view.state.server.isRunning, at: view.time)
    return seconds >= Self.patience
      ? "there is no audio server, so nothing is heard; start JACK or PipeWire, and the router joins it by itself"
      : nil
  }
}
