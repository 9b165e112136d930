public import SessionModel

/// The law of sessions: a pure function from a state and an event to the next state and what is to be told.
///
/// Rules are applied in the order of the table in `Rules/README.md`. A refused event changes nothing.
public enum Policy {
  /// Handles one event.
  ///
  /// - Parameters:
  ///   - state: changed only if the event is accepted.
  ///   - time: seconds of the router's monotonic time; the policy has no clock of its own.
  /// - Returns: what is to be told, in order.
  /// - Throws: `SessionError` with the rule, the holder, and what would be accepted.
  public static func reduce(
    _ state: inout RouterState, _ event: Event, at time: Double
  ) throws(SessionError) -> [Notification] {
    var next = state
    var told = try decide(&next, event, at: time)
    told += Activating.byItself(&next, after: event, since: state)
    told += Routing.settle(&next, after: event)
    state = next
    return told
  }

  /// Gives the event to the one rule that decides it.
  private static func decide(
    _ state: inout RouterState, _ event: Event, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .createSession(let id, let configuration):
      return try Creating.session(&state, id, configuration)
    case .removeSession(let id):
      return try Creating.removal(&state, id)
    case .configure(let id, let configuration):
      return try Configuring.configure(&state, id, configuration)
    case .activate(let id, _):
      return try Activating.activate(&state, id, by: .app)
    case .deactivate(let id, _):
      return try Activating.deactivate(&state, id, by: .app)
    case .session(let id, let setting):
      return try Setting.session(&state, id, setting, at: time)
    case .alive(let id):
      state.sessions[id]?.leaseStart = time
    case .beginInterruption, .endInterruption, .ring, .clearInterruptions, .activationRefused, .elapsed:
      throw SessionError(.notYet, "interruptions and leases come in a later version")
    case .createStream(let session, let id, let channels, let placed):
      try Creating.stream(&state, session, id, channels: channels, placed: placed)
    case .removeStream(let session, let id):
      try Creating.streamRemoval(&state, session, id)
    case .stream(let session, let id, .route(let route)):
      try Sending.route(&state, session, id, route, at: time)
    case .stream(let session, let id, .never(let outputs)):
      try Guarding.guardStream(&state, session, id, never: outputs)
    case .stream(let session, let id, let setting):
      try Setting.stream(&state, session, id, setting, at: time)
    case .destination(let session, let stream, let port, let setting):
      try Sending.destination(&state, session, stream, port, setting, at: time)
    case .captureSession(let session, let other, let setting):
      try Capturing.session(&state, session, other, setting, at: time)
    case .captureInput(let session, let port, let setting):
      try Capturing.input(&state, session, port, setting, at: time)
    case .port(let direction, let id, let setting):
      return try Setting.port(&state, direction, id, setting, at: time)
    case .channel(let port, let number, let setting):
      try Setting.channel(&state, port, number, setting, at: time)
    case .router(let setting):
      Setting.router(&state, setting, at: time)
    case .declarePort(let direction, let port):
      Plugging.declare(&state, direction, port)
    case .forgetPort(let direction, let id):
      return Plugging.forget(&state, direction, id)
    case .portsPresent(let presences):
      return Plugging.present(&state, presences)
    case .connected(let id, let isConnected):
      state.sessions[id]?.isConnected = isConnected
    case .sounding(let id, let isSounding):
      state.sessions[id]?.isSounding = isSounding
    case .signal(let id, let isSignalling):
      state.sessions[id]?.isSignalling = isSignalling
    case .capturing(let id, let isCapturing):
      state.sessions[id]?.isCapturing = isCapturing
    case .heardDirectly(let session, let stream, let sinks):
      state.sessions[session]?.streams[stream]?.directSinks = sinks
    case .server(let server):
      return Plugging.server(&state, server)
    case .measured(let id, let latency, let isLimiting):
      state.outputs[id]?.latency = latency
      state.outputs[id]?.isLimiting = isLimiting
    }
    return []
  }
}
