import SessionModel

/// A plugin does not do its work, so that the sound passes it by, or is muted.
struct FaultyEffects: HealthCheck {
  static let rule = HealthRule.effects

  mutating func sentence(_ view: HealthView) -> String? {
    var faults: [String] = []
    for place in view.state.reportingEffects {
      // While it loads, nothing is wrong.
      guard let insert = view.state.insert(at: place),
        insert.report.effects.contains(where: { $0.state == .faulty })
      else { continue }
      faults += insert.faults(of: place.name)
    }
    guard !faults.isEmpty else { return nil }
    return faults.sorted().joined(separator: "; ") + "; `/effects/retry` tries again"
  }
}
