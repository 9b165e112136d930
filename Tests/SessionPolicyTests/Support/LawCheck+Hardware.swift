import SessionModel

extension LawCheck {
  /// The newest wish counts, and nobody's input gain outlasts him.
  static func hardware(_ state: RouterState) -> [String] {
    var found: [String] = []
    let wishing = state.sessions.values.filter { $0.isActive && $0.wishes.period > 0 }
    let newest = wishing.max { $0.activationNumber < $1.activationNumber }
    let isWished = newest != nil && state.server.rate > 0
    if (state.wishedPeriod != nil) != isWished {
      found.append("the wished period is \(state.wishedPeriod ?? 0)")
    }
    if let frames = state.wishedPeriod, let newest {
      let ratio = Double(frames) / (newest.wishes.period * Double(state.server.rate))
      let isNear = (0.7...1.42).contains(ratio) || frames == 16 || frames == 8_192
      if frames & (frames - 1) != 0 || !isNear {
        found.append("\(frames) frames are not what \(newest.id) wishes")
      }
    }
    for port in state.inputs.values {
      if port.levelHolders.isEmpty, port.level.target != 1 {
        found.append("the gain of \(port.id) is nobody's")
      }
      for id in port.levelHolders where state.sessions[id]?.route.inputs.contains(port.id) != true {
        found.append("\(id) holds the gain of \(port.id), which it does not use")
      }
    }
    return found
  }
}
