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
      guard session.isActive != isActive else { return [] }
      session.setActive(isActive)
      return [.active(id, isActive, by: agent)]
    }
  }

  /// The router plays the app's part: `connected` follows the programs, `start` the server.
  static func byItself(_ state: inout RouterState, after event: Event) -> [Notification] {
    switch event {
    case .connected(let id, let isConnected):
      guard var session = state.sessions[id], session.isActive != isConnected else { return [] }
      let follows = session.activation == .connected || (session.activation == .start && isConnected)
      guard follows, state.server.isRunning else { return [] }
      session.setActive(isConnected)
      state.sessions[id] = session
      return [.active(id, isConnected, by: .system)]
    case .server(let server) where !server.isRunning:
      return setAll(&state, false) { _ in true }
    case .server:
      return setAll(&state, true) { $0.activation == .start }
    case .session(let id, .activation(.start)) where state.server.isRunning:
      return setAll(&state, true) { $0.id == id }
    case .session(let id, .activation(.connected)) where state.server.isRunning:
      return setAll(&state, true) { $0.id == id && $0.isConnected }
    default:
      return []
    }
  }

  private static func setAll(
    _ state: inout RouterState, _ isActive: Bool, where condition: (Session) -> Bool
  ) -> [Notification] {
    state.sessions.values.filter { $0.isActive != isActive && condition($0) }.map { session in
      state.sessions[session.id]?.setActive(isActive)
      return .active(session.id, isActive, by: .system)
    }
  }
}
