import SessionModel

/// Decides which other sessions and inputs a session's capture contains, and how loud each is in it.
enum Captures {
  static func setSession(
    _ state: inout RouterState, _ id: SessionID, _ other: SessionID, _ setting: CaptureSetting,
    at time: Double
  ) throws(SessionError) {
    guard id != other else {
      throw SessionError(.badParam, "\(id) is never part of its own capture: it would hear itself")
    }
    guard state.sessions[other] != nil else {
      throw missing("session", other.name, among: state.sessions.keys)
    }
    let curve = state.fadeCurve
    try state.withSession(id) { session throws(SessionError) in
      try check(session, setting)
      var send = session.capture.sessions[other] ?? CaptureSend(isOn: false)
      apply(setting, to: &send, curve: curve, at: time)
      session.capture.sessions[other] = send
    }
  }

  static func setInput(
    _ state: inout RouterState, _ id: SessionID, _ port: PortID, _ setting: CaptureSetting, at time: Double
  ) throws(SessionError) {
    guard state.inputs[port] != nil else { throw missing("input", port.name, among: state.inputs.keys) }
    let curve = state.fadeCurve
    try state.withSession(id) { session throws(SessionError) in
      try check(session, setting)
      var send = session.capture.inputs[port] ?? CaptureSend(isOn: false)
      apply(setting, to: &send, curve: curve, at: time)
      session.capture.inputs[port] = send
    }
  }

  /// A send that rests in a session that captures nothing now may still be taken back.
  private static func check(_ session: Session, _ setting: CaptureSetting) throws(SessionError) {
    guard session.category.hasInput || setting.isRest else {
      throw SessionError(
        .incompatibleCategory,
        "\(session.id) is \(session.category.rawValue), which captures nothing; multiRoute does")
    }
  }

  private static func apply(
    _ setting: CaptureSetting, to send: inout CaptureSend, curve: FadeCurve, at time: Double
  ) {
    switch setting {
    case .on(let isOn): send.isOn = isOn
    case .gain(let move): send.gain.move(move, curve: curve, at: time, isLevel: true)
    }
  }
}

extension CaptureSetting {
  /// Whether it leads to no other value than that of a send that was never made.
  fileprivate var isRest: Bool {
    switch self {
    case .on(let isOn): !isOn
    case .gain(let move): !move.changes(from: 0)
    }
  }
}
