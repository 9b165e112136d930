import SessionModel

/// The sound broke up within the last minute.
struct RecentXruns: HealthCheck {
  static let rule = HealthRule.xruns
  private var growth = GrowthWatch()

  mutating func sentence(_ view: HealthView) -> String? {
    guard growth.hasGrown(view.state.loop.counts.xruns, at: view.time) else { return nil }
    let flight = view.state.loop.flight.flatMap { $0.isGlitch && view.time - $0.time < 60 ? $0 : nil }
    let cause = flight.map { " (\($0.cause.rawValue): \($0.why))" } ?? ""
    return
      "there were xruns in the last minute\(cause); a longer period helps, and `multiroute doctor` looks at the machine"
  }
}
