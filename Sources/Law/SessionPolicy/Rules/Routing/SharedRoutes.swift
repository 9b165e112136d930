import SessionModel

/// Computes routes of many sessions among the same ports. Sessions with equal profiles share one result.
struct SharedRoutes {
  private let ports: AvailablePorts
  private let areAllAutomatic: Bool
  private var known: [Known] = []
  /// The index of the last result: the next session is often alike.
  private var last = 0

  /// Greatest number of remembered results: searching more of them would take longer than computing a route.
  private static let capacity = 16

  private struct Known {
    let profile: Profile
    let route: Route
  }

  init(among ports: AvailablePorts) {
    self.ports = ports
    areAllAutomatic = ports.outputs.allSatisfy(\.isAutomatic)
  }

  mutating func route(of session: Session, awaiting: PortID?) -> Route {
    guard isOrdinary(session) else { return Routing.route(of: session, awaiting: awaiting, among: ports) }
    let profile = Profile(session, awaiting: awaiting)
    if known.indices.contains(last), known[last].profile == profile { return known[last].route }
    if let index = known.firstIndex(where: { $0.profile == profile }) {
      last = index
      return known[index].route
    }
    let route = Routing.route(of: session, awaiting: awaiting, among: ports)
    if known.count < Self.capacity { known.append(Known(profile: profile, route: route)) }
    return route
  }

  /// Whether the session's route depends on its profile alone, and not on its streams' destinations or guards.
  private func isOrdinary(_ session: Session) -> Bool {
    session.category == .multiRoute
      ? areAllAutomatic
      : !session.streams.contains { (stream: SessionStream) in !stream.never.isEmpty }
  }

  /// Everything that decides the route of an ordinary session.
  private struct Profile: Equatable {
    let category: Category
    let mode: Mode
    let options: SessionOptions
    let portOverride: PortOverride
    let isAwaiting: Bool
    let preferredInput: PortID?
    let preferredOutput: PortID?

    init(_ session: Session, awaiting: PortID?) {
      (category, mode, options) = (session.category, session.mode, session.options)
      (portOverride, isAwaiting) = (session.portOverride, awaiting != nil)
      (preferredInput, preferredOutput) = (session.preferredInput, session.preferredOutput)
    }
  }
}
