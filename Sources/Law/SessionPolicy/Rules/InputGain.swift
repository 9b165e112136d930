import SessionModel

/// AVAudioSession's input gain. Each input has one gain, which all sessions that capture from it share. The gain returns to its
/// default when no session that has set it uses the input any more (docs/develop/law/hardware.md#4-input-level).
enum InputGain {
  static func move(
    _ state: inout RouterState, _ id: SessionID, _ move: ControlMove, at time: Double
  ) throws(SessionError) {
    try HardwarePreferences.checkServer(state)
    guard let session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    guard session.category.hasInput else {
      throw SessionError(
        .incompatibleCategory,
        "\(id) is \(session.category.rawValue), which has no input whose gain could be set")
    }
    guard let input = session.route.input, var port = state.inputs[input] else {
      throw SessionError(.resourceNotAvailable, "\(id) has no input now; connect one first")
    }
    port.level.move(move, curve: state.fadeCurve, at: time, isLevel: false)
    if !port.levelHolders.contains(id) { port.levelHolders.append(id) }
    state.inputs[input] = port
  }

  /// Forgets the sessions that have set an input's gain and do not use the input any more.
  static func apply(_ state: inout RouterState, since before: RouterState) {
    guard state.inputs.contains(where: { (port: Port) in !port.levelHolders.isEmpty }) else { return }
    let sessions = state.sessions
    func uses(_ id: SessionID, _ port: PortID) -> Bool {
      guard let session = sessions[id], session.category.hasInput, session.route.inputs.contains(port) else {
        return false
      }
      return session.isActive || before.sessions[id]?.isActive != true
    }
    state.inputs.change(where: { port in port.levelHolders.contains { !uses($0, port.id) } }) { port in
      let id = port.id
      port.levelHolders.removeAll { !uses($0, id) }
      if port.levelHolders.isEmpty { port.level.set(1) }
    }
  }
}
