import SessionModel

/// Sessions become active and inactive (semantics, section 6). All mix in this version.
enum Activating {
  static func activate(
    _ state: inout RouterState, _ id: SessionID, by agent: Notification.Agent
  ) throws(SessionError) -> [Notification] {
    guard state.server.isRunning else {
      throw SessionError(
        .mediaServicesFailed,
        "there is no audio server, so nothing can become active; wait for /event/media reset")
    }
    return try setActive(&state, id, true, by: agent)
  }

  static func deactivate(
    _ state: inout RouterState, _ id: SessionID, by agent: Notification.Agent
  ) throws(SessionError) -> [Notification] {
    try setActive(&state, id, false, by: agent)
  }

  /// Repeating is success without an event.
  private static func setActive(
    _ state: inout RouterState, _ id: SessionID, _ isActive: Bool, by agent: Notification.Agent
  ) throws(SessionError) -> [Notification] {
    try state.withSession(id) { session throws(SessionError) in
      session.returnsAfterReset = false
      guard session.isActive != isActive else { return [] }
      session.setActive(isActive)
      return [.active(id, isActive, by: agent)]
    }
  }

  // MARK: The router plays the app's part

  /// `connected` follows the programs, `start` the server; both act on changes only, so that what a person did since stays.
  static func byItself(
    _ state: inout RouterState, after event: Event, since before: RouterState
  ) -> [Notification] {
    switch event {
    case .connected(let id, let isConnected) where isConnected != before.sessions[id]?.isConnected:
      return isConnected ? appear(&state, id) : vanish(&state, id)
    case .server(let server) where server.isRunning != before.server.isRunning:
      return server.isRunning ? reset(&state) : lose(&state)
    case .session(let id, .activation(.start)):
      guard state.server.isRunning else {
        state.sessions[id]?.returnsAfterReset = true
        return []
      }
      return start(&state, id)
    case .session(let id, .activation(.connected)) where state.sessions[id]?.isConnected == true:
      return start(&state, id)
    default:
      return []
    }
  }

  /// A source came, or came back.
  private static func appear(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    switch state.sessions[id]?.activation {
    case .start, .connected: start(&state, id)
    case .manual, .signal, nil: []
    }
  }

  /// Its programs are gone: it ends as if it had notified, and keeps its configuration.
  private static func vanish(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard state.sessions[id]?.isActive == true else { return [] }
    state.sessions[id]?.setActive(false)
    return [.session(id, .vanished), .active(id, false, by: .system)]
  }

  /// Everything that was connected went with the server; no session stays active.
  private static func lose(_ state: inout RouterState) -> [Notification] {
    var told: [Notification] = []
    for var session in state.sessions.values {
      (session.returnsAfterReset, session.isConnected) = (session.isActive, false)
      if session.isActive { told.append(.active(session.id, false, by: .system)) }
      session.setActive(false)
      state.sessions[session.id] = session
    }
    return told
  }

  private static func reset(_ state: inout RouterState) -> [Notification] {
    state.sessions.values.filter { $0.activation == .start && $0.returnsAfterReset }
      .flatMap { start(&state, $0.id) }
  }

  private static func start(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard state.server.isRunning, state.sessions[id]?.isActive == false else { return [] }
    state.sessions[id]?.setActive(true)
    return [.active(id, true, by: .system)]
  }
}
