import SessionModel

extension LawCheck {
  /// The newest preference counts, and an input's gain does not outlast the sessions that have set it.
  static func hardware(_ state: RouterState) -> [String] {
    var found: [String] = []
    let preferring = state.sessions.values.filter { $0.isActive && $0.preferredHardware.period > 0 }
    let newest = preferring.max { $0.activationNumber < $1.activationNumber }
    let isPreferred = newest != nil && state.server.rate > 0
    if (state.preferredPeriod != nil) != isPreferred {
      found.append("the preferred period is \(state.preferredPeriod ?? 0)")
    }
    if let frames = state.preferredPeriod, let newest {
      let ratio = Double(frames) / (newest.preferredHardware.period * Double(state.server.rate))
      let isNear = (0.7...1.42).contains(ratio) || frames == 16 || frames == 8_192
      if frames & (frames - 1) != 0 || !isNear {
        found.append("\(frames) frames are not the period that \(newest.id) prefers")
      }
    }
    for port in state.inputs.values {
      if port.levelHolders.isEmpty, port.level.target != 1 {
        found.append("the gain of \(port.id) was set by no session")
      }
      for id in port.levelHolders where state.sessions[id]?.route.inputs.contains(port.id) != true {
        found.append("\(id) holds the gain of \(port.id), which it does not use")
      }
    }
    return found
  }
}
