public import SessionModel

/// Looks at the router about once a second and tells which conditions of health have begun or ended. Each begins and ends once,
/// whatever its measurement does at the limit.
public struct HealthWatch: Sendable {
  /// The checks, in the order of `HealthRule`.
  static let checks: [any HealthCheck.Type] = [
    MissingServer.self, StalledServer.self, DeadAir.self, HighLoad.self, RecentXruns.self,
    MissingPriority.self, ContestedCables.self, MonitorLoop.self, FullDisk.self, LastingLimiter.self,
    UnprocessedVoice.self, FaultyEffects.self, ForgottenTalkback.self,
    ChangedRate.self,
    DriftingBridge.self,
    DirectSound.self, SilentSurface.self, LostPackets.self,
  ]

  private var checks: [any HealthCheck] = Self.checks.map { $0.init() }

  public init() {}

  /// Looks at everything.
  ///
  /// - Parameter time: seconds of the router's time.
  /// - Returns: the sentences of the conditions that have begun or changed, and nil for those that have ended.
  public mutating func look(
    at state: RouterState, _ facts: HealthFacts, time: Double
  ) -> [HealthRule: String?] {
    let view = HealthView(state: state, facts: facts, time: time)
    var changes: [HealthRule: String?] = [:]
    for index in checks.indices {
      let rule = type(of: checks[index]).rule
      let sentence = checks[index].sentence(view)
      if sentence != state.health.conditions[rule]?.sentence { changes.updateValue(sentence, forKey: rule) }
    }
    return changes
  }
}
