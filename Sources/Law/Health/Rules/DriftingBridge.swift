import SessionModel

/// The clock of a bridged card or machine differs so much from the server's that its buffer may run out.
struct DriftingBridge: HealthCheck {
  static let rule = HealthRule.drift
  private var drifting: Set<String> = []

  /// Deviations at which a port begins and ceases to drift.
  private static let (begin, end) = (75e-6, 60e-6)

  mutating func sentence(_ view: HealthView) -> String? {
    let loop = view.state.loop
    let drifts =
      loop.outputDrifts.map { (name: "output \($0)", drift: $1) }
      + loop.inputDrifts.map { (name: "input \($0)", drift: $1) }
    let off = drifts.filter { abs($0.drift) > (drifting.contains($0.name) ? Self.end : Self.begin) }
    drifting = Set(off.map(\.name))
    guard !off.isEmpty else { return nil }
    let list = off.sorted { $0.name < $1.name }.map {
      "\($0.name) by \(Int(($0.drift * 1e5).rounded()) * 10) ppm"
    }
    return
      "clocks of bridges are off: \(list.joined(separator: ", ")); the bridge resamples, but look for a card or machine at a wrong rate"
  }
}
