import SessionModel

/// Which ports each session has now (semantics, sections 10 and 11).
enum Routing {
  /// Brings routes up to date; exactly one route change per active session that is affected.
  static func settle(_ state: inout RouterState, after event: Event) -> [Notification] {
    let affected = affected(by: event)
    guard affected != .none else { return [] }
    let (plugs, world) = (Plugs(state), state)
    var told: [Notification] = []
    var next: (route: Route, awaited: PortID?) = (Route(), nil)
    state.sessions.change(where: { session in
      guard affected == .all || affected == .one(session.id) else { return false }
      next.awaited = awaited(by: session, in: world)
      next.route = route(of: session, awaiting: next.awaited, among: plugs)
      return next.route != session.route || next.awaited != session.awaitedOutput
    }) { session in
      let previous = session.route
      (session.route, session.awaitedOutput) = next
      guard previous != next.route, session.isActive,
        let reason = reason(for: event, to: session, from: previous, in: world)
      else { return }
      told.append(.route(session.id, reason, previous: previous, current: next.route))
    }
    return told
  }

  /// Where a multiRoute stream made over OSC starts.
  static func firstForMultiRoute(in state: RouterState) -> PortID? {
    eligible(Plugs(state).outputs) { $0.isAutomatic }.first
  }

  /// The sessions whose route an event may change; most events change none, however many sessions there are.
  private static func affected(by event: Event) -> Affected {
    switch event {
    case .createSession(let id, _), .configure(let id, _), .session(let id, .preferredOutput),
      .createStream(let id, _, _, _), .removeStream(let id, _), .destination(let id, _, _, .on),
      .stream(let id, _, .never), .stream(let id, _, .route), .session(let id, .unplug):
      .one(id)
    case .declarePort, .forgetPort, .portsPresent, .port(_, _, .plugged), .port(_, _, .automatic): .all
    case .server(let server) where server.isOffline: .all
    default: .none
    }
  }

  private enum Affected: Equatable {
    case none, all
    case one(SessionID)
  }

  /// The output that a session stays with though it has gone (osc contract, `unplug`).
  private static func awaited(by session: Session, in state: RouterState) -> PortID? {
    guard session.category != .multiRoute, session.unplug != .continue else { return nil }
    let port = session.awaitedOutput ?? (session.isActive ? session.route.outputs.first : nil)
    guard let port, let output = state.outputs[port], !output.isAvailable else { return nil }
    return port
  }

  static func route(of session: Session, in state: RouterState) -> Route {
    route(of: session, awaiting: session.awaitedOutput, among: Plugs(state))
  }

  private static func route(of session: Session, awaiting: PortID?, among plugs: Plugs) -> Route {
    let isHeard =
      session.category.hasOutput || (session.category == .audioProcessing && plugs.isOffline)
    return Route(
      input: session.category.hasInput ? input(of: session, among: plugs) : nil,
      outputs: isHeard && awaiting == nil ? outputs(of: session, among: plugs) : [])
  }

  private static func outputs(of session: Session, among plugs: Plugs) -> [PortID] {
    // A found port is used beside those that the preset names as soon as somebody sends a stream there.
    guard session.category != .multiRoute else {
      return eligible(plugs.outputs) { $0.isAutomatic || session.hasDestination(at: $0.id) }
    }
    var newest: Plug?
    for plug in plugs.outputs where plug.type != .builtInReceiver || session.category == .playAndRecord {
      guard !session.streams.contains(where: { (stream: SessionStream) in stream.never.contains(plug.id) })
      else { continue }
      if plug.id == session.preferredOutput { return [plug.id] }
      guard plug.isAutomatic else { continue }
      if let best = newest, preference(plug, of: session) <= preference(best, of: session) { continue }
      newest = plug
    }
    return newest.map { [$0.id] } ?? []
  }

  /// What multiRoute sessions may use of the outputs that are there; the speaker only when there is nothing else.
  private static func eligible(_ plugs: [Plug], where isWanted: (Plug) -> Bool) -> [PortID] {
    var (speakers, others): ([PortID], [PortID]) = ([], [])
    for plug in plugs where plug.isEligible && isWanted(plug) {
      if plug.type == .builtInSpeaker { speakers.append(plug.id) } else { others.append(plug.id) }
    }
    return others.isEmpty ? speakers : others
  }

  static func input(of session: Session, in state: RouterState) -> PortID? {
    input(of: session, among: Plugs(state))
  }

  private static func input(of session: Session, among plugs: Plugs) -> PortID? {
    plugs.inputs.filter { $0.isAutomatic && (session.category != .multiRoute || $0.isEligible) }
      .max { preference($0, of: session) < preference($1, of: session) }?.id
  }

  /// Last in wins; what is built in never arrives. playAndRecord prefers the receiver to the speaker, unless it says otherwise.
  private static func preference(_ plug: Plug, of session: Session) -> (Int, Int) {
    switch plug.type {
    case .builtInReceiver: (session.options.contains(.defaultToSpeaker) ? 0 : 2, plug.arrival)
    case .builtInSpeaker, .builtInMic: (1, plug.arrival)
    default: (3, plug.arrival)
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

/// The ports that are there, as far as routes depend on them: gathered once for many sessions.
private struct Plugs {
  let outputs: [Plug]
  let inputs: [Plug]
  let isOffline: Bool

  init(_ state: RouterState) {
    outputs = state.outputs.values.filter(\.isAvailable).map { port in
      Plug(
        id: port.id, type: port.type, arrival: port.arrival, isAutomatic: state.isAutomatic(port, .output),
        isEligible: port.type.isEligibleForMultiRoute(namedByPreset: port.isNamedByPreset))
    }
    inputs = state.inputs.values.filter(\.isAvailable).map { port in
      Plug(
        id: port.id, type: port.type, arrival: port.arrival, isAutomatic: state.isAutomatic(port, .input),
        isEligible: port.type.isEligibleInputForMultiRoute(namedByPreset: port.isNamedByPreset))
    }
    isOffline = state.server.isOffline
  }
}

/// A port that is there.
private struct Plug {
  let id: PortID
  let type: PortType
  let arrival: Int
  let isAutomatic: Bool
  /// Whether multiRoute sessions may use it.
  let isEligible: Bool
}
