import SessionModel

/// Activates and deactivates sessions (docs/develop/law/activation.md).
enum Activations {
  /// Activates a session. The sessions that it interrupts get their notifications first (docs/develop/law/activation.md#3-becoming-active). A session that is active
  /// already stays so, without a notification.
  static func activate(
    _ state: inout RouterState, _ id: SessionID, notifyingOthers: Bool = false, by agent: Notification.Agent,
    at time: Double
  ) throws(SessionError) -> [Notification] {
    guard var session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    guard state.server.isRunning else {
      throw SessionError(
        .mediaServicesFailed,
        "there is no audio server, so nothing can become active; wait for /event/media reset")
    }
    guard !notifyingOthers else {
      throw SessionError(
        .badParam, "notifyOthersOnDeactivation counts on deactivation only; activate \(id) without it")
    }
    guard !session.isActive else { return [] }
    // An operator who activates a session wants to hear it at once, so it stops waiting for the output that has gone.
    if agent == .app, session.unplug == .interrupt, session.awaitedOutput != nil {
      session.awaitedOutput = nil
      session.route = Routing.route(of: session, in: state)
    }
    try Admission.check(session, in: state)
    let notifications = Interruptions.interruptOthers(&state, for: session)
    state.activations += 1
    session.begin(as: state.activations, at: time)
    state.sessions[id] = session
    notePlaying(&state, session)
    return notifications + [.active(id, true, by: agent)]
  }

  /// Deactivates a session as its client asked. `RouterState.deactivation` decides whether it may do so while its input or output runs.
  static func deactivate(
    _ state: inout RouterState, _ id: SessionID, notifyingOthers: Bool
  ) throws(SessionError) -> [Notification] {
    guard let session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    let isBusy = session.isActive && (session.isOutputRunning || session.isInputRunning)
    guard isBusy, state.deactivation != .succeeds else {
      return stop(&state, id, notifyingOthers: notifyingOthers, by: .app)
    }
    let error = SessionError(.isBusy, busy(session, in: state))
    guard state.deactivation == .reports else { throw error }
    return stop(&state, id, notifyingOthers: notifyingOthers, by: .app)
      + [.error(client: 0, address: "/session/\(id)/active", error)]
  }

  /// Why a deactivation counts as one while input or output runs.
  private static func busy(_ session: Session, in state: RouterState) -> String {
    let id = session.id
    if session.runningPlayers > 0,
      let player = state.players.keys(where: { $0.session == id && $0.isRunning }).first
    {
      return "the player \(player) of \(id) still plays; stop it first (/player/\(player)/stop)"
    }
    if session.runningRecorders > 0,
      let recorder = state.recorders.keys(where: { $0.session == id && $0.isRunning }).first
    {
      return "the recorder \(recorder) still records by \(id); stop it first (/recorder/\(recorder)/stop)"
    }
    return "the input or output of \(id) still runs; stop it first (/session/\(id)/io/output stopped)"
  }

  /// Deactivates a session, and ends every wait of an inactive one: for the end of an interruption, or for the server's return.
  static func stop(
    _ state: inout RouterState, _ id: SessionID, notifyingOthers: Bool, by agent: Notification.Agent
  ) -> [Notification] {
    guard let session = state.sessions[id] else { return [] }
    let holdsBack = agent == .app && session.activation == .signal && session.isSignalling
    guard session.isEngaged || session.returnsAfterReset || session.isHeldBack != holdsBack else { return [] }
    var stopped = session
    stopped.end()
    stopped.isHeldBack = holdsBack
    if session.unplug == .interrupt, session.awaitedOutput != nil {
      stopped.awaitedOutput = nil
      stopped.route = Routing.route(of: stopped, in: state)
    }
    state.sessions[id] = stopped
    return (session.isActive ? [.active(id, false, by: agent)] : [])
      + Interruptions.release(&state, session, notifyingOthers: notifyingOthers)
  }

  /// Activates a session without a client's request, for instance because its program connected. If the law refuses, the error goes
  /// to no client in particular (client 0), and the session remembers what stood in the way.
  static func start(_ state: inout RouterState, _ id: SessionID, at time: Double) -> [Notification] {
    guard state.server.isRunning, state.sessions[id]?.isActive == false else { return [] }
    do throws(SessionError) {
      return try activate(&state, id, by: .system, at: time)
    } catch {
      refuse(&state, id)
      return [.error(client: 0, address: "/session/\(id)/active", error)]
    }
  }

  /// Remembers which call or session stood in the way of an activation, so that the session gets a recommendation to resume when
  /// that one has ended (docs/develop/law/interruptions.md#7-refused-activations).
  static func refuse(_ state: inout RouterState, _ id: SessionID) {
    guard var session = state.sessions[id], !session.isActive else { return }
    session.refusal = Admission.holder(against: session, in: state)
    session.isHeldBack = session.activation == .signal && session.isSignalling
    state.sessions[id] = session
  }

  /// Makes this session the "now playing" one, unless it mixes, is a call or is an alert.
  static func notePlaying(_ state: inout RouterState, _ session: Session) {
    if session.countsAsPlaying { state.nowPlaying = session.id }
  }
}

extension Session {
  /// Whether the session becomes the "now playing" one when it is activated.
  var countsAsPlaying: Bool { !isMixable && priority == .normal && category.hasOutput }

  /// Whether the session is active or waits to become active again.
  var isEngaged: Bool { isActive || displacement != nil || mayReturn || refusal != nil }

  fileprivate mutating func begin(as number: Int, at time: Double) {
    end()
    setActive(true)
    (activationNumber, leaseStart) = (number, time)
    duckingNumber = isDucker ? number : nil
  }

  /// Makes the session inactive and clears everything that it waited for.
  mutating func end() {
    setActive(false)
    (displacement, mayReturn, refusal, isHeldBack) = (nil, false, nil, false)
    (duckingNumber, returnsAfterReset) = (nil, false)
  }
}
