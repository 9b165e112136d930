import SessionModel

/// Which ports each session has now (semantics, sections 10 and 11).
enum Routing {
  /// Brings routes up to date; exactly one route change per active session that is affected.
  static func settle(_ state: inout RouterState, after event: Event) -> [Notification] {
    var told: [Notification] = []
    for id in affected(by: event, in: state) {
      guard let session = state.sessions[id] else { continue }
      var settled = session
      settled.awaitedOutput = awaited(by: session, in: state)
      let current = route(of: settled, in: state)
      guard current != session.route || settled.awaitedOutput != session.awaitedOutput else { continue }
      settled.route = current
      state.sessions[id] = settled
      guard current != session.route else { continue }
      guard session.isActive, let reason = reason(for: event, to: settled, from: session.route, in: state)
      else { continue }
      told.append(.route(id, reason, previous: session.route, current: current))
    }
    return told
  }

  /// Where a multiRoute stream made over OSC starts.
  static func firstForMultiRoute(in state: RouterState) -> PortID? {
    eligible(in: state) { state.isAutomatic($0, .output) }.first
  }

  /// The sessions whose route an event may change; most events change none, however many sessions there are.
  private static func affected(by event: Event, in state: RouterState) -> [SessionID] {
    switch event {
    case .createSession(let id, _), .configure(let id, _), .session(let id, .preferredOutput),
      .createStream(let id, _, _, _), .removeStream(let id, _), .destination(let id, _, _, .on),
      .stream(let id, _, .never), .stream(let id, _, .route), .session(let id, .unplug):
      [id]
    case .declarePort, .forgetPort, .portsPresent, .port(_, _, .plugged), .port(_, _, .automatic):
      state.sessions.keys
    case .server(let server) where server.isOffline: state.sessions.keys
    default: []
    }
  }

  /// The output that a session stays with though it has gone (osc contract, `unplug`).
  private static func awaited(by session: Session, in state: RouterState) -> PortID? {
    guard session.category != .multiRoute, session.unplug != .continue else { return nil }
    let port = session.awaitedOutput ?? (session.isActive ? session.route.outputs.first : nil)
    guard let port, let output = state.outputs[port], !output.isAvailable else { return nil }
    return port
  }

  static func route(of session: Session, in state: RouterState) -> Route {
    let isHeard =
      session.category.hasOutput || (session.category == .audioProcessing && state.server.isOffline)
    let outputs = isHeard && session.awaitedOutput == nil ? outputs(of: session, in: state) : []
    return Route(input: session.category.hasInput ? input(of: session, in: state) : nil, outputs: outputs)
  }

  private static func outputs(of session: Session, in state: RouterState) -> [PortID] {
    let streams = session.streams.values
    guard session.category == .multiRoute else {
      let allowed = state.outputs.values.filter { port in
        port.isAvailable && (port.type != .builtInReceiver || session.category == .playAndRecord)
          && streams.allSatisfy { !$0.never.contains(port.id) }
      }
      if let preferred = session.preferredOutput, allowed.contains(where: { $0.id == preferred }) {
        return [preferred]
      }
      let newest = allowed.filter { state.isAutomatic($0, .output) }.max {
        preference($0, of: session) < preference($1, of: session)
      }
      return newest.map { [$0.id] } ?? []
    }
    // A found port is used beside those that the preset names as soon as somebody sends a stream there.
    return eligible(in: state) { port in
      state.isAutomatic(port, .output) || streams.contains { $0.destinations[port.id]?.isOn == true }
    }
  }

  /// What multiRoute sessions may use of the outputs that are there; the speaker only when there is nothing else.
  private static func eligible(in state: RouterState, where isWanted: (Port) -> Bool) -> [PortID] {
    let eligible = state.outputs.values.filter {
      $0.isAvailable && $0.type.isEligibleForMultiRoute(namedByPreset: $0.isNamedByPreset) && isWanted($0)
    }
    let others = eligible.filter { $0.type != .builtInSpeaker }
    return (others.isEmpty ? eligible : others).map(\.id)
  }

  static func input(of session: Session, in state: RouterState) -> PortID? {
    let candidates = state.inputs.values.filter {
      $0.isAvailable && state.isAutomatic($0, .input)
        && (session.category != .multiRoute
          || $0.type.isEligibleInputForMultiRoute(namedByPreset: $0.isNamedByPreset))
    }
    return candidates.max { preference($0, of: session) < preference($1, of: session) }?.id
  }

  /// Last in wins; what is built in never arrives. playAndRecord prefers the receiver to the speaker, unless it says otherwise.
  private static func preference(_ port: Port, of session: Session) -> (Int, Int) {
    switch port.type {
    case .builtInReceiver: (session.options.contains(.defaultToSpeaker) ? 0 : 2, port.arrival)
    case .builtInSpeaker, .builtInMic: (1, port.arrival)
    default: (3, port.arrival)
    }
  }

  /// Why; nil for a session that was just made, which nobody is told about.
  private static func reason(
    for event: Event, to session: Session, from previous: Route, in state: RouterState
  ) -> RouteChangeReason? {
    let current = session.route
    switch event {
    case .createSession: return nil
    case .configure: return .categoryChange
    default: break
    }
    if current.outputs.isEmpty, !previous.outputs.isEmpty, session.awaitedOutput == nil {
      return .noSuitableRouteForCategory
    }
    switch event {
    case .session: return .override
    case .portsPresent, .declarePort, .forgetPort, .port(_, _, .plugged): break
    default: return .routeConfigurationChange
    }
    let hasLost =
      previous.outputs.contains { state.outputs[$0]?.isAvailable != true }
      || previous.input.map { state.inputs[$0]?.isAvailable != true } ?? false
    return hasLost ? .oldDeviceUnavailable : .newDeviceAvailable
  }
}
