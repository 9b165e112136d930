import SessionModel

/// A surface no longer receives, or no longer sends.
struct SilentSurface: HealthCheck {
  static let rule = HealthRule.surface

  func sentence(_ view: HealthView) -> String? {
    let names = Set(view.facts.refusing + view.facts.silent).sorted()
    guard !names.isEmpty else { return nil }
    return
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "does" : "do") not answer; wake the device, start its app, or look at its network"
  }
}
