import SessionModel

/// An output is so loud that its limiter works all the time.
struct LastingLimiter: HealthCheck {
  static let rule = HealthRule.limiting
  private var limited: [PortID: Stopwatch] = [:]

  /// Seconds after which a limiter that works is no accident.
  private static let patience = 10.0

  mutating func sentence(_ view: HealthView) -> String? {
    limited = limited.filter { view.state.outputs[$0.key] != nil }
    let names = view.state.outputs.values.compactMap { port -> String? in
      let seconds = limited[port.id, default: Stopwatch()].seconds(port.isLimiting, at: view.time)
      return seconds >= Self.patience ? port.id.name : nil
    }
    guard !names.isEmpty else { return nil }
    return
      "\(names.joined(separator: ", ")) limits all the time, which is heard as distortion; lower the sources or /output/\(names[0])/gain"
  }
}
