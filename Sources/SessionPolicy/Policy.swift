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
    told += Following.follow(&next, after: event, since: state, at: time)
    told += Interrupting.settle(&next, after: event, since: state)
    Routing.settle(&next, after: event, since: state, telling: &told)
    told += Offering.settle(next, after: event, since: state)
    told += Disconnecting.settle(&next, after: event, since: state)
    told += Resuming.resume(&next, after: told, at: time)
    InputLeveling.settle(&next, since: state)
    if event.concernsOthers {
      next.gatherActivity()
      let activities = (before: state.activity, now: next.activity)
      Wishing.settle(&next, activities.now)
      told += Hinting.settle(next, since: state, activities)
      Attenuating.settle(&next, since: state, activities, at: time)
    }
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
    case .activate(let id, let notifyingOthers):
      return try Activating.activate(
        &state, id, notifyingOthers: notifyingOthers, by: .app, at: time)
    case .deactivate(let id, let notifyingOthers):
      return try Activating.deactivate(&state, id, notifyingOthers: notifyingOthers)
    case .activationRefused(let id):
      Activating.refuse(&state, id)
    case .beginInterruption(let id, let reason):
      return try Calling.begin(&state, id, reason)
    case .endInterruption(let id, let shouldResume):
      return Calling.end(&state, id, shouldResume: shouldResume)
    case .ring(let id, let isRinging):
      return try Calling.ring(&state, id, isRinging)
    case .clearInterruptions:
      return Calling.clear(&state)
    case .session(let id, .portOverride(let override)):
      try Overriding.override(&state, id, with: override)
    case .session(let id, .preferredInput(let port)):
      try Preferring.input(&state, id, port)
    case .session(let id, .preferredRate(let rate)):
      try Wishing.wish(&state, id) { $0.rate = rate }
    case .session(let id, .preferredPeriod(let period)):
      try Wishing.wish(&state, id) { $0.period = period }
    case .session(let id, .preferredChannels(let direction, let count)):
      try Wishing.channels(&state, id, direction, count)
    case .session(let id, .inputLevel(let move)):
      try InputLeveling.move(&state, id, move, at: time)
    case .session(let id, .preferredOutput(let port)):
      try Preferring.output(&state, id, port)
    case .session(let id, let setting):
      return try Setting.session(&state, id, setting, at: time)
    case .alive(let id):
      try state.withSession(id) { session in session.leaseStart = time }
    case .elapsed:
      break
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
      return Plugging.present(&state, presences, at: time)
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
      return Plugging.server(&state, server, at: time)
    case .align(let outputs):
      Aligning.align(&state, outputs)
    case .bridge(let direction, let id, let condition):
      return Plugging.bridge(&state, direction, id, condition)
    case .measured(let direction, let id, let latency, let isLimiting):
      state[direction][id]?.reportedLatency = latency
      state[direction][id]?.isLimiting = isLimiting
    }
    return []
  }
}

extension Event {
  /// Whether it may change who is active, who plays, and who is ducked; most of what a person moves does not.
  fileprivate var concernsOthers: Bool {
    switch self {
    case .session(_, let setting): setting.concernsOthers
    case .stream(_, _, .route), .stream(_, _, .never), .destination(_, _, _, .on): true
    case .stream, .destination, .captureSession, .captureInput, .channel, .heardDirectly, .measured, .alive,
      .activationRefused, .align, .bridge:
      false
    case .port(_, _, let setting): setting.concernsOthers
    case .router(let setting): setting.concernsOthers
    default: true
    }
  }
}

extension SessionSetting {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .name, .gain, .maximum, .muted, .notifiesOthers, .permission, .ignoresAlerts, .outputMuted,
      .signalThreshold, .signalHold, .resumption, .lease, .captureChannels, .captureDestinations,
      .preferredRate, .preferredChannels, .inputLevel:
      false
    default: true
    }
  }
}

extension PortSetting {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .automatic, .plugged, .duckLimit, .hardwareMuted: true
    default: false
    }
  }
}

extension RouterSetting {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .duckLevel, .duckAttack, .duckRelease, .duckScope: true
    default: false
    }
  }
}
