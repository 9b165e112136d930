import SessionModel

/// Decides which outputs and inputs each session uses (docs/develop/law/routes.md).
enum Routing {
  /// Gives every session the route that it must have now. Each active session whose route changes gets exactly one notification.
  /// - Parameter notifications: the new ones are appended. There may be one for each session, and returning an array of them would
  ///   cost a copy.
  static func apply(
    _ state: inout RouterState, after event: Event, since before: RouterState,
    appendingTo notifications: inout [Notification]
  ) {
    let affected = affected(by: event)
    guard affected != .none else { return }
    let (ports, world) = (AvailablePorts(state), state)
    let lost = Lost(from: before, to: state)
    lazy var former = AvailablePorts(before)
    var next = Next(route: Route())
    state.sessions.change(where: { session in
      guard affected.contain(session.id) else { return false }
      let awaited = awaited(by: session, in: world)
      let endsOverride =
        session.portOverride != .none && affected == .all
        && !SpeakerOverride.survives(session, awaiting: awaited, since: former, now: ports)
      let chosen = route(
        of: endsOverride ? session.withoutOverride : session, awaiting: awaited, among: ports)
      let decision = Next(
        route: chosen, awaited: awaited, endsOverride: endsOverride,
        placement: placement(ofStreamsOf: session, at: chosen, among: ports))
      guard chosen != session.route || decision.isMore(than: session) else { return false }
      if session.isActive, chosen != session.route {
        // If an override ends because a port disappeared, the route hidden behind the override had that port, not the session's.
        let hidden = endsOverride ? route(of: session.withoutOverride, among: former) : nil
        if let reason = reason(for: event, to: session, decision, hiding: hidden, lost) {
          notifications.append(.route(session.id, reason, previous: session.route, current: chosen))
        }
      }
      next = decision
      return true
    }) { session in
      // The closure above decides everything while the session is only read: reading it here, where it changes, would copy it.
      (session.route, session.awaitedOutput) = (next.route, next.awaited)
      if next.endsOverride { session.portOverride = .none }
      if !next.placement.streams.isEmpty { session.move(next.placement) }
    }
  }

  /// The decision for one session.
  private struct Next {
    var route: Route
    var awaited: PortID?
    var endsOverride = false
    var placement = Placement()

    /// Whether the session changes though its route stays the same.
    func isMore(than session: Session) -> Bool {
      endsOverride || !placement.streams.isEmpty || awaited != session.awaitedOutput
    }

    /// Whether the session had an output or input and gets none in its place, though its category needs one. multiRoute needs no
    /// input.
    func lacksWhat(_ former: Route, offered category: Category) -> Bool {
      let hasNoOutput = route.outputs.isEmpty && !former.outputs.isEmpty && awaited == nil
      let hasNoInput = route.input == nil && former.input != nil && category != .multiRoute
      return hasNoOutput || hasNoInput
    }
  }

  /// The sessions whose route an event may change. Most events change no route, so most of the work is skipped.
  private static func affected(by event: Event) -> Affected {
    switch event {
    case .createSession(let id, _), .configure(let id, _), .session(let id, .preferredOutput),
      .session(let id, .preferredInput), .session(let id, .portOverride), .createStream(let id, _, _, _),
      .removeStream(let id, _), .destination(let id, _, _, .on), .stream(let id, _, .never),
      .stream(let id, _, .route), .session(let id, .unplug), .session(let id, .voice(.echo, true)):
      .one(id)
    case .row(let events):
      events.reduce(into: Affected.none) { all, event in all.add(affected(by: event)) }
    case .server(let server) where server.isOffline: .all
    default: event.isAboutPorts ? .all : .none
    }
  }

  private enum Affected: Equatable {
    case none, all
    case one(SessionID)
    case some(Set<SessionID>)

    func contain(_ session: SessionID) -> Bool {
      switch self {
      case .none: false
      case .all: true
      case .one(let id): id == session
      case .some(let ids): ids.contains(session)
      }
    }

    mutating func add(_ other: Self) {
      switch (self, other) {
      case (_, .none), (.all, _): break
      case (.none, _), (_, .all): self = other
      case (.one(let id), .one(let next)) where id == next: break
      case (.one(let id), .one(let next)): self = .some([id, next])
      case (.some(var ids), .one(let next)):
        self = .none
        ids.insert(next)
        self = .some(ids)
      case (.one(let id), .some(let ids)): self = .some(ids.union([id]))
      case (.some(let ids), .some(let more)): self = .some(ids.union(more))
      }
    }
  }

  /// The output that a session waits for though it has disappeared (docs/develop/law/conduct.md#6-unplug); nil if it does not wait.
  private static func awaited(by session: Session, in state: RouterState) -> PortID? {
    guard session.category != .multiRoute, session.unplug != .continue else { return nil }
    let port = session.awaitedOutput ?? (session.isActive ? session.route.outputs.first : nil)
    // A bridge that no preset names any more is about to be forgotten, and does not come back.
    let mayReturn = { (port: Port) in !port.isAvailable && (port.isNamedByPreset || port.bridge == nil) }
    guard let port, state.outputs.contains(port, where: mayReturn) else { return nil }
    return port
  }

  static func route(of session: Session, in state: RouterState) -> Route {
    route(of: session, awaiting: session.awaitedOutput, among: AvailablePorts(state))
  }

  static func route(of session: Session, awaiting: PortID? = nil, among ports: AvailablePorts) -> Route {
    if session.category == .multiRoute {
      return session.mode == .dualRoute
        ? dualRoute(of: session, among: ports) : multiRoute(of: session, among: ports)
    }
    return singleRoute(of: session, awaiting: awaiting, among: ports)
  }

  // MARK: Reasons

  /// The reason of a route change; nil for a session that was just created, whose first route is no change.
  /// - Parameters:
  ///   - session: the session before the event.
  ///   - next: the decision for it.
  ///   - hidden: the route that the session would have had without an override, if that override ended.
  private static func reason(
    for event: Event, to session: Session, _ next: Next, hiding hidden: Route?, _ lost: Lost
  ) -> RouteChangeReason? {
    switch event {
    case .createSession: return nil
    case .configure, .session(_, .voice): return .categoryChange
    default: break
    }
    func hasLostItsKind(since route: Route) -> Bool {
      next.lacksWhat(route, offered: session.category)
    }
    if hasLostItsKind(since: session.route) || hidden.map(hasLostItsKind) == true {
      return .noSuitableRouteForCategory
    }
    switch event {
    case .session: return .override
    case .port(_, _, .automatic): return .routeConfigurationChange
    case _ where event.isAboutPorts: break
    default: return .routeConfigurationChange
    }
    let hasLost = lost.concerns(session.route) || hidden.map(lost.concerns) == true
    return hasLost ? .oldDeviceUnavailable : .newDeviceAvailable
  }

  /// The ports that disappeared in the event.
  private struct Lost {
    let outputs: [PortID]
    let inputs: [PortID]

    init(from before: RouterState, to state: RouterState) {
      func lost(_ direction: Direction) -> [PortID] {
        before[direction].keys { $0.isAvailable }.filter { state[direction][$0]?.isAvailable != true }
      }
      (outputs, inputs) = (lost(.output), lost(.input))
    }

    func concerns(_ route: Route) -> Bool {
      (!outputs.isEmpty && route.outputs.contains(where: outputs.contains))
        || (!inputs.isEmpty && route.inputs.contains(where: inputs.contains))
    }
  }
}

extension Event {
  /// Whether ports may have appeared, disappeared or changed.
  var isAboutPorts: Bool {
    switch self {
    case .declarePort, .forgetPort, .portsPresent, .port(_, _, .plugged), .port(_, _, .automatic): true
    default: false
    }
  }
}
