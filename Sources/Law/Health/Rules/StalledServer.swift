import SessionModel

/// A program that does not answer holds up the server, or the router has disconnected it.
struct StalledServer: HealthCheck {
  static let rule = HealthRule.stall

  func sentence(_ view: HealthView) -> String? {
    guard let first = view.state.hungPrograms.first else { return nil }
    return "\(first.sentence); quit it (kill -9), or start it again"
  }
}
