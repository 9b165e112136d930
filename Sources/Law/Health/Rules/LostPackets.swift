import SessionModel

/// The network or a flood has lost packets of clients.
struct LostPackets: HealthCheck {
  static let rule = HealthRule.packets
  private var growth: [String: GrowthWatch] = [:]

  mutating func sentence(_ view: HealthView) -> String? {
    let names = view.facts.losses.sorted { $0.key < $1.key }.compactMap { name, count in
      growth[name, default: GrowthWatch()].hasGrown(count, at: view.time) ? name : nil
    }
    growth = growth.filter { view.facts.losses[$0.key] != nil }
    guard !names.isEmpty else { return nil }
    return
      "packets of \(names.joined(separator: ", ")) were lost in the last minute; values arrive again, but look at the Wi-Fi"
  }
}
