import SessionModel

/// Routes among the same ports: sessions that are alike have the same one, which is found once.
struct SharedRoutes {
  private let plugs: Plugs
  private let areAllAutomatic: Bool
  private var known: [(profile: Profile, route: Route)] = []

  /// Most kinds of sessions that are remembered: more would take longer to look through than to decide.
  private static let capacity = 16

  init(among plugs: Plugs) {
    self.plugs = plugs
    areAllAutomatic = plugs.outputs.allSatisfy(\.isAutomatic)
  }

  mutating func route(of session: Session, awaiting: PortID?) -> Route {
    guard isOrdinary(session) else { return Routing.route(of: session, awaiting: awaiting, among: plugs) }
    let profile = Profile(session, awaiting: awaiting)
    if let index = known.firstIndex(where: { $0.profile == profile }) { return known[index].route }
    let route = Routing.route(of: session, awaiting: awaiting, among: plugs)
    if known.count < Self.capacity { known.append((profile, route)) }
    return route
  }

  /// Whether its streams have no say in its route: by where they go, or by their guards.
  private func isOrdinary(_ session: Session) -> Bool {
    session.category == .multiRoute
      ? areAllAutomatic
      : !session.streams.contains { (stream: SessionStream) in !stream.never.isEmpty }
  }

  /// All of an ordinary session that its route depends on.
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
