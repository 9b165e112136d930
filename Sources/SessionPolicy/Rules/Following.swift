import SessionModel

/// The router plays the app's part: sessions follow their programs, their signal, the server and their lease (osc contract,
/// Sessions). Edges alone count, so that what a person did since stays.
enum Following {
  static func follow(
    _ state: inout RouterState, after event: Event, since before: RouterState, at time: Double
  ) -> [Notification] {
    switch event {
    case .connected(let id, let isConnected) where isConnected != before.sessions[id]?.isConnected:
      return isConnected ? appear(&state, id, at: time) : vanish(&state, id)
    case .signal(let id, let isSignalling) where isSignalling != before.sessions[id]?.isSignalling:
      return isSignalling ? rise(&state, id, at: time) : fall(&state, id)
    case .server(let server) where server.isRunning != before.server.isRunning:
      return server.isRunning ? reset(&state, at: time) : lose(&state)
    case .session(let id, .activation(let activation)):
      return take(&state, id, activation, at: time)
    case .elapsed:
      return state.sessions.keys { $0.leaseEnd.map { $0 <= time } ?? false }
        .flatMap { Activating.stop(&state, $0, notifyingOthers: true, by: .system) }
    default:
      return []
    }
  }

  /// A session that is to start by itself, and could have already.
  private static func take(
    _ state: inout RouterState, _ id: SessionID, _ activation: Activation, at time: Double
  ) -> [Notification] {
    guard let session = state.sessions[id], !session.isActive, session.displacement == nil else { return [] }
    switch activation {
    case .start:
      guard state.server.isRunning else {
        state.sessions[id]?.returnsAfterReset = true
        return []
      }
      return Activating.start(&state, id, at: time)
    case .connected where session.isConnected: return Activating.start(&state, id, at: time)
    case .signal where session.isSignalling: return Activating.start(&state, id, at: time)
    case .manual, .connected, .signal: return []
    }
  }

  // MARK: Programs

  /// A source came, or came back.
  private static func appear(
    _ state: inout RouterState, _ id: SessionID, at time: Double
  ) -> [Notification] {
    switch state.sessions[id]?.activation {
    case .start, .connected: Activating.start(&state, id, at: time)
    case .manual, .signal, nil: []
    }
  }

  /// Its programs are gone: it ends as if it had notified, and keeps its configuration.
  private static func vanish(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id] else { return [] }
    let told = Activating.stop(&state, id, notifyingOthers: true, by: .system)
    return session.isActive || session.displacement != nil ? [.session(id, .vanished)] + told : told
  }

  // MARK: Signals

  private static func rise(
    _ state: inout RouterState, _ id: SessionID, at time: Double
  ) -> [Notification] {
    guard state.sessions[id]?.activation == .signal, state.sessions[id]?.isHeldBack == false else {
      return []
    }
    return Activating.start(&state, id, at: time)
  }

  /// The signal was silent for the hold: the session ends, or may start again.
  private static func fall(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id], session.activation == .signal else { return [] }
    return Activating.stop(&state, id, notifyingOthers: session.notifiesOthers, by: .system)
  }

  // MARK: The server

  /// Everything that was connected went with the server; no session stays active, none waits for another.
  private static func lose(_ state: inout RouterState) -> [Notification] {
    var told: [Notification] = []
    for id in state.sessions.keys(where: { $0.isEngaged || $0.isConnected || $0.isHeldBack }) {
      guard var session = state.sessions[id] else { continue }
      let wasActive = session.isActive
      session.end()
      (session.returnsAfterReset, session.isConnected) = (wasActive, false)
      (session.isSounding, session.isSignalling, session.isCapturing) = (false, false, false)
      if wasActive { session.awaitOutput() }
      state.sessions[id] = session
      if wasActive { told.append(.active(id, false, by: .system)) }
    }
    return told
  }

  /// What was active at the loss returns if it starts by itself, or always resumes.
  private static func reset(_ state: inout RouterState, at time: Double) -> [Notification] {
    let returning = state.sessions.keys {
      $0.returnsAfterReset && ($0.activation == .start || $0.resumption == .always)
    }
    return returning.flatMap { Activating.start(&state, $0, at: time) }
  }
}

extension Session {
  /// Its output went with the server: who comes back by itself, and may not move, waits for it, whatever is there first.
  fileprivate mutating func awaitOutput() {
    let returns = activation != .manual || resumption == .always
    guard returns, unplug != .continue, category != .multiRoute, let output = route.outputs.first else {
      return
    }
    (awaitedOutput, route.outputs) = (output, [])
  }
}
