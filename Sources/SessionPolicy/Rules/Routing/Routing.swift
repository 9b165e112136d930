import SessionModel

/// Which ports each session has now (semantics, sections 10 and 11).
enum Routing {
  /// Brings routes up to date; exactly one route change per active session that is affected.
  /// - Parameter told: gets what is to be told; an array of its own would be copied, and may hold an event for each session.
  static func settle(
    _ state: inout RouterState, after event: Event, since before: RouterState,
    telling told: inout [Notification]
  ) {
    let affected = affected(by: event)
    guard affected != .none else { return }
    let (plugs, world) = (Plugs(state), state)
    let lost = Lost(from: before, to: state)
    lazy var former = Plugs(before)
    var routes = SharedRoutes(among: plugs)
    var next = Next()
    state.sessions.change(where: { session in
      guard affected == .all || affected == .one(session.id) else { return false }
      next = Next()
      next.awaited = awaited(by: session, in: world)
      if session.portOverride != .none, affected == .all {
        next.endsOverride = !Overriding.survives(session, awaiting: next.awaited, since: former, now: plugs)
      }
      if next.endsOverride {
        next.route = routes.route(of: session.withoutOverride, awaiting: next.awaited)
      } else {
        next.route = routes.route(of: session, awaiting: next.awaited)
      }
      next.placement = placement(ofStreamsOf: session, at: next.route, among: plugs)
      guard next.route != session.route else {
        return next.endsOverride || !next.placement.streams.isEmpty || next.awaited != session.awaitedOutput
      }
      if session.isActive {
        // An override hid the port whose going ended it.
        let hidden = next.endsOverride ? route(of: session.withoutOverride, among: former) : nil
        if let reason = reason(for: event, to: session, next, hiding: hidden, lost) {
          told.append(.route(session.id, reason, previous: session.route, current: next.route))
        }
      }
      return true
    }) { session in
      // All is decided above, where the session is only looked at: to look at one that is being changed it would be copied.
      (session.route, session.awaitedOutput) = (next.route, next.awaited)
      if next.endsOverride { session.portOverride = .none }
      if !next.placement.streams.isEmpty { session.move(next.placement) }
    }
  }

  /// What becomes of one session.
  private struct Next {
    var route = Route()
    var awaited: PortID?
    var endsOverride = false
    var placement = Placement()

    /// Whether nothing is left of a direction that a category needs and had; multiRoute may do without an input.
    func lacksWhat(_ former: Route, offered category: Category) -> Bool {
      let hasNoOutput = route.outputs.isEmpty && !former.outputs.isEmpty && awaited == nil
      let hasNoInput = route.input == nil && former.input != nil && category != .multiRoute
      return hasNoOutput || hasNoInput
    }
  }

  /// The sessions whose route an event may change; most events change none, however many sessions there are.
  private static func affected(by event: Event) -> Affected {
    switch event {
    case .createSession(let id, _), .configure(let id, _), .session(let id, .preferredOutput),
      .session(let id, .preferredInput), .session(let id, .portOverride), .createStream(let id, _, _, _),
      .removeStream(let id, _), .destination(let id, _, _, .on), .stream(let id, _, .never),
      .stream(let id, _, .route), .session(let id, .unplug):
      .one(id)
    case .server(let server) where server.isOffline: .all
    default: event.isAboutPorts ? .all : .none
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
    guard let port, state.outputs.contains(port, where: { !$0.isAvailable }) else { return nil }
    return port
  }

  static func route(of session: Session, in state: RouterState) -> Route {
    route(of: session, awaiting: session.awaitedOutput, among: Plugs(state))
  }

  static func route(of session: Session, awaiting: PortID? = nil, among plugs: Plugs) -> Route {
    if session.category == .multiRoute {
      return session.mode == .dualRoute
        ? dualRoute(of: session, among: plugs) : multiRoute(of: session, among: plugs)
    }
    return singleRoute(of: session, awaiting: awaiting, among: plugs)
  }

  // MARK: Why

  /// Why; nil for a session that was just made, which nobody is told about.
  /// - Parameters:
  ///   - session: as it was.
  ///   - next: what becomes of it.
  ///   - hidden: the route that was hidden by an override that ended.
  private static func reason(
    for event: Event, to session: Session, _ next: Next, hiding hidden: Route?, _ lost: Lost
  ) -> RouteChangeReason? {
    switch event {
    case .createSession: return nil
    case .configure: return .categoryChange
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

  /// The ports that have gone.
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
  /// Whether ports came, went or are other ones now.
  var isAboutPorts: Bool {
    switch self {
    case .declarePort, .forgetPort, .portsPresent, .port(_, _, .plugged), .port(_, _, .automatic): true
    default: false
    }
  }
}
