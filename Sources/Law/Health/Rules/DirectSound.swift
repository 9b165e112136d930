import SessionModel

/// A source is also heard past the router, which no fader, duck or guard reaches.
struct DirectSound: HealthCheck {
  static let rule = HealthRule.direct

  func sentence(_ view: HealthView) -> String? {
    var heard: [String] = []
    view.state.sessions.forEachValue { session in
      if session.streams.contains(where: { !$0.value.directSinks.isEmpty }) { heard.append(session.id.name) }
    }
    heard += view.state.directPrograms.map(\.client)
    guard !heard.isEmpty else { return nil }
    return
      "\(heard.joined(separator: ", ")) \(heard.count == 1 ? "is" : "are") also heard directly, past the router; disconnect that, or make the streams exclusive (`multiroute doctor` tells how)"
  }
}
