import SessionModel

/// Sessions become active and inactive (semantics, section 6).
enum Activating {
  /// Makes a session active; those whom it displaces are told first (decision G16). Repeating is success without an event.
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
    // A person who activates it wants to hear it, wherever that is now.
    if agent == .app, session.unplug == .interrupt, session.awaitedOutput != nil {
      session.awaitedOutput = nil
      session.route = Routing.route(of: session, in: state)
    }
    try Admitting.check(session, in: state)
    let told = Interrupting.displaceOthers(&state, for: session)
    state.activations += 1
    session.begin(as: state.activations, at: time)
    state.sessions[id] = session
    notePlaying(&state, session)
    return told + [.active(id, true, by: agent)]
  }

  /// Makes a session inactive, at its own wish.
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
    let error = SessionError(
      .isBusy, "the input or output of \(id) still runs; stop it first (/session/\(id)/io/output stopped)")
    guard state.deactivation == .reports else { throw error }
    return stop(&state, id, notifyingOthers: notifyingOthers, by: .app)
      + [.error(client: 0, address: "/session/\(id)/active", error)]
  }

  /// Ends a session's activity, or its waiting to be active again, whoever wishes it.
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
      + Interrupting.leave(&state, session, notifyingOthers: notifyingOthers)
  }

  /// Makes a session active for the router's own reasons; a refusal is remembered and told as an error of nobody's.
  static func start(_ state: inout RouterState, _ id: SessionID, at time: Double) -> [Notification] {
    guard state.server.isRunning, state.sessions[id]?.isActive == false else { return [] }
    do throws(SessionError) {
      return try activate(&state, id, by: .system, at: time)
    } catch {
      refuse(&state, id)
      return [.error(client: 0, address: "/session/\(id)/active", error)]
    }
  }

  /// Remembers that an activation was refused, so that the session is told when its holder has gone (semantics, section 7).
  static func refuse(_ state: inout RouterState, _ id: SessionID) {
    guard var session = state.sessions[id], !session.isActive else { return }
    session.refusal = Admitting.holder(against: session, in: state)
    session.isHeldBack = session.activation == .signal && session.isSignalling
    state.sessions[id] = session
  }

  /// The last session that does not mix is the one that plays now; calls and alerts are not.
  static func notePlaying(_ state: inout RouterState, _ session: Session) {
    if session.countsAsPlaying { state.nowPlaying = session.id }
  }
}

extension Session {
  /// Whether, once active, it is the one that plays now.
  var countsAsPlaying: Bool { !isMixable && priority == .normal && category.hasOutput }

  /// Whether it is active, or waits to be so again.
  var isEngaged: Bool { isActive || displacement != nil || mayReturn || refusal != nil }

  fileprivate mutating func begin(as number: Int, at time: Double) {
    end()
    setActive(true)
    (activationNumber, leaseStart) = (number, time)
    duckingNumber = isDucker ? number : nil
  }

  /// Ends its activity and everything that it waited for.
  mutating func end() {
    setActive(false)
    (displacement, mayReturn, refusal, isHeldBack) = (nil, false, nil, false)
    (duckingNumber, returnsAfterReset) = (nil, false)
  }
}
