import SessionModel

/// A surface of the configuration no longer receives.
struct RefusingSurface: HealthCheck {
  static let rule = HealthRule.surface

  func sentence(_ view: HealthView) -> String? {
    let names = view.facts.refusing
    guard !names.isEmpty else { return nil }
    return
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "does" : "do") not answer; wake the device, start its app, or look at its network"
  }
}
