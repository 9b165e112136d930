import SessionModel

/// A plugin does not do its work, so that the sound passes it by.
struct FaultyEffects: HealthCheck {
  static let rule = HealthRule.effects

  mutating func sentence(_ view: HealthView) -> String? {
    var faults: [String] = []
    for id in view.state.reportingEffects {
      for stream in view.state.sessions[id]?.streams.values ?? [] {
        for (index, facts) in stream.effectsReport.effects.enumerated() where facts.state == .faulty {
          faults.append("\(id).\(stream.id): effect \(index + 1) is left out: \(facts.why ?? "it is faulty")")
        }
      }
    }
    guard !faults.isEmpty else { return nil }
    return faults.sorted().joined(separator: "; ") + "; `/effects/retry` tries again"
  }
}
