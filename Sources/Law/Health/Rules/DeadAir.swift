import SessionModel

/// A session that is on air has been silent for longer than its own limit.
struct DeadAir: HealthCheck {
  static let rule = HealthRule.deadAir
  private var silences: [SessionID: Stopwatch] = [:]

  mutating func sentence(_ view: HealthView) -> String? {
    var silent: [String] = []
    silences = silences.filter { view.state.sessions[$0.key] != nil }
    view.state.sessions.forEachValue { session in
      let limit = session.quietTime.target
      guard limit > 0 else { return }
      let isSilent =
        Self.isOnAir(session) && !session.isSounding && view.state.silencer(of: .session(session.id)) == nil
      let seconds = silences[session.id, default: Stopwatch()].seconds(isSilent, at: view.time)
      if isSilent, seconds >= limit { silent.append(session.id.name) }
    }
    guard !silent.isEmpty else { return nil }
    return
      "dead air: \(silent.joined(separator: ", ")) \(silent.count == 1 ? "is" : "are") on air without sound; /session/\(silent[0])/why says whether the program or the router is silent"
  }

  /// Whether the audience expects to hear a session: it is active, and neither an interruption nor the operator silences it.
  private static func isOnAir(_ session: Session) -> Bool {
    session.isActive && session.displacement == nil && !session.isMuted
      && !Decibels(session.gain.target).isOff
  }
}
