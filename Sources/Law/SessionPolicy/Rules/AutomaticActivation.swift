import SessionModel

/// Activates and deactivates sessions in place of an app: as their programs connect and vanish, as their signal begins and ends, as
/// the audio server returns, and as their lease runs out (docs/develop/law/conduct.md).
///
/// Only a change counts, not a state that lasts: a session that the operator deactivated stays so until its program connects anew.
enum AutomaticActivation {
  static func apply(
    _ state: inout RouterState, after event: Event, since before: RouterState, at time: Double
  ) -> [Notification] {
    switch event {
    case .connected(let id, let isConnected) where isConnected != before.sessions[id]?.isConnected:
      return isConnected ? connect(&state, id, at: time) : disconnect(&state, id)
    case .signal(let id, let isSignalling) where isSignalling != before.sessions[id]?.isSignalling:
      return isSignalling ? beginSignal(&state, id, at: time) : endSignal(&state, id)
    case .server(let server) where server.isRunning != before.server.isRunning:
      return server.isRunning ? restart(&state, at: time) : stopAll(&state)
    case .session(let id, .activation(let activation)):
      return startIfDue(&state, id, activation, at: time)
    case .elapsed:
      return state.sessions.keys { $0.leaseEnd.map { $0 <= time } ?? false }
        .flatMap { Activations.stop(&state, $0, notifyingOthers: true, by: .system) }
    default:
      return []
    }
  }

  /// Activates a session at once if its new `activation` would have done so already.
  private static func startIfDue(
    _ state: inout RouterState, _ id: SessionID, _ activation: Activation, at time: Double
  ) -> [Notification] {
    guard let session = state.sessions[id], !session.isActive, session.displacement == nil else { return [] }
    switch activation {
    case .start:
      guard state.server.isRunning else {
        state.sessions[id]?.returnsAfterReset = true
        return []
      }
      return Activations.start(&state, id, at: time)
    case .connected where session.isConnected: return Activations.start(&state, id, at: time)
    case .signal where session.isSignalling: return Activations.start(&state, id, at: time)
    case .manual, .connected, .signal: return []
    }
  }

  // MARK: Programs

  /// A program has connected to the session.
  private static func connect(
    _ state: inout RouterState, _ id: SessionID, at time: Double
  ) -> [Notification] {
    switch state.sessions[id]?.activation {
    case .start, .connected: Activations.start(&state, id, at: time)
    case .manual, .signal, nil: []
    }
  }

  /// The session's last program has gone: the session ends as if its client had deactivated it and notified the others. It keeps
  /// its configuration.
  private static func disconnect(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    // A player that plays is a source, too (docs/develop/law/media.md#6-players-and-their-sessions).
    guard let session = state.sessions[id], session.runningPlayers == 0 else { return [] }
    let notifications = Activations.stop(&state, id, notifyingOthers: true, by: .system)
    return session.isActive || session.displacement != nil
      ? [.session(id, .vanished)] + notifications : notifications
  }

  // MARK: Signals

  private static func beginSignal(
    _ state: inout RouterState, _ id: SessionID, at time: Double
  ) -> [Notification] {
    guard state.sessions[id]?.activation == .signal, state.sessions[id]?.isHeldBack == false else {
      return []
    }
    return Activations.start(&state, id, at: time)
  }

  /// The signal has been below the threshold for the hold time: the session ends, and may start again at the next signal.
  private static func endSignal(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id], session.activation == .signal, session.runningPlayers == 0 else {
      return []
    }
    return Activations.stop(&state, id, notifyingOthers: session.notifiesOthers, by: .system)
  }

  // MARK: The server

  /// The audio server has gone, with all connections: every session becomes inactive, and no session waits for another one.
  private static func stopAll(_ state: inout RouterState) -> [Notification] {
    var notifications: [Notification] = []
    state.sessions.change(where: {
      $0.isEngaged || $0.isConnected || $0.isHeldBack || $0.hasDirectConnections
    }) { session in
      let wasActive = session.isActive
      session.end()
      session.returnsAfterReset = wasActive
      session.forgetServer()
      guard wasActive else { return }
      session.awaitOutput()
      notifications.append(.active(session.id, false, by: .system))
    }
    return notifications
  }

  /// The audio server is back: a session that was active at the loss returns if it starts by itself or always resumes.
  private static func restart(_ state: inout RouterState, at time: Double) -> [Notification] {
    let returning = state.sessions.keys {
      $0.returnsAfterReset && ($0.activation == .start || $0.resumption == .always)
    }
    return returning.flatMap { Activations.start(&state, $0, at: time) }
  }
}

extension Session {
  /// Remembers the session's output when the server goes. A session that comes back by itself but may not move to another output
  /// waits for this one, even if other devices return first.
  fileprivate mutating func awaitOutput() {
    let returns = activation != .manual || resumption == .always
    guard returns, unplug != .continue, category != .multiRoute, let output = route.outputs.first else {
      return
    }
    (awaitedOutput, route.outputs) = (output, [])
  }
}
