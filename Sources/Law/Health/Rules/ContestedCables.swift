import SessionModel

/// Another program fought the router for the cables of an exclusive port, and the router has yielded.
struct ContestedCables: HealthCheck {
  static let rule = HealthRule.contested

  func sentence(_ view: HealthView) -> String? {
    guard let first = view.state.contestedPorts.first else { return nil }
    let others = view.state.contestedPorts.count - 1
    return
      "\(first.sentence)\(others > 0 ? ", and so with \(others) more" : ""); end \(first.client ?? "that program"), or take the port out of its settings, and then reload the preset"
  }
}
