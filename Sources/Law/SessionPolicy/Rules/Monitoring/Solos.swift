import SessionModel

/// Decides what is soloed, and where solos are heard (docs/develop/law/solo.md).
enum Solos {
  /// Begins or ends a solo. What is soloed already stays so, without an error.
  static func set(
    _ state: inout RouterState, _ target: SoloTarget, _ isOn: Bool
  ) throws(SessionError) {
    try check(target, in: state)
    guard isOn else { return state.monitoring.solos.removeAll { $0 == target } }
    let monitors = try availableMonitors(in: state)
    if case .output(let id) = target, state.outputs[id]?.monitor.isOn == true {
      throw SessionError(
        .badParam, "\(id) is a monitor output, at which solos are heard; solo what goes to it instead")
    }
    guard monitors.contains(where: { !state.soloParts(of: target, at: $0.id).isEmpty }) else {
      throw refusal(of: target, at: monitors[0].id, in: state)
    }
    guard !state.isSoloed(target) else { return }
    if monitors.contains(where: \.monitor.isExclusive) { state.monitoring.solos = [] }
    state.monitoring.solos.append(target)
  }

  /// Begins or ends the solo of a send. Its output then hears no send but those that are soloed there; talkbacks, and sessions that the policy
  /// routes, stay.
  static func set(_ state: inout RouterState, _ send: SoloedSend, _ isOn: Bool) throws(SessionError) {
    guard isOn else { return state.monitoring.sends.removeAll { $0 == send } }
    guard state.isOn(send) else {
      throw SessionError(.badParam, "\(send.words) is off; switch the send on before it is soloed")
    }
    if !state.monitoring.sends.contains(send) { state.monitoring.sends.append(send) }
  }

  static func setMonitor(
    _ monitor: inout Monitor, _ setting: MonitorSetting, curve: FadeCurve, at time: Double
  ) {
    switch setting {
    case .on(let isOn): monitor.isOn = isOn
    case .point(let point): monitor.point = point
    case .exclusive(let isExclusive): monitor.isExclusive = isExclusive
    case .level(let move): monitor.level.move(move, curve: curve, at: time, isLevel: true)
    case .dim(let level): monitor.dim = level
    case .lease(let ends): monitor.endsWithSurface = ends
    }
  }

  /// Ends the solos of objects that do not exist any more, of sends that are off, and all solos of others once there is no monitor output.
  static func apply(_ state: inout RouterState) {
    if !state.monitoring.sends.isEmpty {
      let on = state.monitoring.sends.filter(state.isOn)
      if on != state.monitoring.sends { state.monitoring.sends = on }
    }
    guard !state.monitoring.solos.isEmpty else { return }
    let solos = state.monitoring.solos
    let monitors = state.monitors
    let kept = monitors.isEmpty ? [] : solos.filter { isThere($0, in: state) }
    if kept != solos { state.monitoring.solos = kept }
  }

  /// The monitor outputs that are not away.
  private static func availableMonitors(in state: RouterState) throws(SessionError) -> [Port] {
    let monitors = state.monitors
    guard !monitors.isEmpty else {
      throw SessionError(
        .notFound,
        "there is no monitor output for solos; give a port `\"solo\": {}` in the preset, or set /output/<o>/monitor/on"
      )
    }
    let available = monitors.filter(\.isAvailable)
    guard !available.isEmpty else {
      let names = monitors.map(\.id.name).joined(separator: ", ")
      throw SessionError(
        .resourceNotAvailable,
        "\(names) is away, so nobody could hear the solo; plug the monitor output in first")
    }
    return available
  }

  /// Why a solo is not heard at a monitor output.
  private static func refusal(
    of target: SoloTarget, at monitor: PortID, in state: RouterState
  ) -> SessionError {
    guard let guarded = guardedSound(of: target, at: monitor, in: state) else {
      return SessionError(.badParam, "\(target.words) has no sound of its own to solo")
    }
    return SessionError(
      .denied,
      "\(target.words) is not heard at \(monitor): \(guarded) is guarded and never goes to \(monitor); change its 'never' first"
    )
  }

  /// A sound of what is soloed that a guard keeps away from a monitor output; nil if there is none.
  private static func guardedSound(
    of target: SoloTarget, at monitor: PortID, in state: RouterState
  ) -> String? {
    switch target {
    case .session(let id): state.sessions[id]?.streams.keys.first.map { "\(id).\($0)" }
    case .stream(let id, let stream): "\(id).\(stream)"
    case .player(let id): state.players[id].map { "\($0.session).\($0.stream)" }
    case .input(let id): state.guardedStream(takingInput: id, against: monitor)
    case .output: nil
    case .group(let id):
      state.soloTargets(ofGroup: id).lazy.compactMap { guardedSound(of: $0, at: monitor, in: state) }.first
    }
  }

  private static func check(_ target: SoloTarget, in state: RouterState) throws(SessionError) {
    guard !isThere(target, in: state) else { return }
    switch target {
    case .session(let id): throw missing("session", id.name, among: state.sessions.keys)
    case .stream(let id, let stream):
      guard let session = state.sessions[id] else {
        throw missing("session", id.name, among: state.sessions.keys)
      }
      throw missing("stream", "\(id).\(stream)", among: session.streams.keys)
    case .input(let id): throw missing("input", id.name, among: state.inputs.keys)
    case .output(let id): throw missing("output", id.name, among: state.outputs.keys)
    case .player(let id): throw missing("player", id.name, among: state.players.keys)
    case .group(let id): throw missing("group", id.name, among: state.groups.keys)
    }
  }

  private static func isThere(_ target: SoloTarget, in state: RouterState) -> Bool {
    switch target {
    case .session(let id): state.sessions.contains(id)
    case .stream(let id, let stream): state.sessions.read(id) { $0.streams.contains(stream) } ?? false
    case .input(let id): state.inputs.contains(id)
    case .output(let id): state.outputs.contains(id)
    case .player(let id): state.players.contains(id)
    case .group(let id): state.groups.contains(id)
    }
  }
}
