import SessionModel

/// Which ports each active session has now (semantics, sections 10 and 11).
enum Routing {
  /// Brings every session's route up to date; exactly one route change per session that is affected.
  static func settle(_ state: inout RouterState, after event: Event) -> [Notification] {
    var told: [Notification] = []
    for session in state.sessions.values {
      let current = route(of: session, in: state)
      guard current != session.route else { continue }
      state.sessions[session.id]?.route = current
      guard let reason = reason(for: event, from: session.route, to: current, of: session) else { continue }
      told.append(.route(session.id, reason, previous: session.route, current: current))
    }
    return told
  }

  /// The outputs a category would have now, newest first for those with a single one.
  static func outputs(of category: Category, in state: RouterState) -> [PortID] {
    let available = candidates(state.outputs)
    guard category == .multiRoute else {
      return available.sorted { preference($0) > preference($1) }.map(\.id)
    }
    let eligible = available.filter { $0.type.isEligibleForMultiRoute(namedByPreset: $0.isNamedByPreset) }
    let others = eligible.filter { $0.type != .builtInSpeaker }
    return (others.isEmpty ? eligible : others).map(\.id)
  }

  private static func route(of session: Session, in state: RouterState) -> Route {
    let outputs = session.category.hasOutput ? outputs(of: session.category, in: state) : []
    let input = session.category.hasInput ? newestInput(in: state) : nil
    if session.category == .multiRoute { return Route(input: input, outputs: outputs) }
    let allowed = outputs.filter { port in session.streams.values.allSatisfy { !$0.never.contains(port) } }
    if let preferred = session.preferredOutput, allowed.contains(preferred) {
      return Route(input: input, outputs: [preferred])
    }
    return Route(input: input, outputs: Array(allowed.prefix(1)))
  }

  private static func newestInput(in state: RouterState) -> PortID? {
    candidates(state.inputs).max { preference($0) < preference($1) }?.id
  }

  /// What is there; found ports take part only while the preset names none.
  private static func candidates(_ ports: Registry<PortID, Port>) -> [Port] {
    let isNamed = ports.values.contains(where: \.isNamedByPreset)
    return ports.values.filter { $0.isAvailable && ($0.isNamedByPreset || !isNamed) }
  }

  /// Last in wins; what is built in never arrives.
  private static func preference(_ port: Port) -> (Int, Int) {
    let isBuiltIn = [.builtInSpeaker, .builtInMic, .builtInReceiver].contains(port.type)
    return (isBuiltIn ? 0 : 1, port.arrival)
  }

  /// Why; nil for sessions that were just made or are not active, which nobody is told about.
  private static func reason(
    for event: Event, from previous: Route, to current: Route, of session: Session
  ) -> RouteChangeReason? {
    guard session.isActive else { return nil }
    switch event {
    case .createSession: return nil
    case .configure: return .categoryChange
    case .session(_, .preferredOutput), .stream: return .override
    default: break
    }
    let gained = current.outputs.contains { !previous.outputs.contains($0) }
    let lost = previous.outputs.contains { !current.outputs.contains($0) }
    if current.outputs.isEmpty, lost { return .noSuitableRouteForCategory }
    if case .port(_, _, .plugged(let isPlugged)) = event {
      return isPlugged ? .newDeviceAvailable : .oldDeviceUnavailable
    }
    if lost, case .portsPresent(let presences) = event,
      presences.contains(where: { $0.members.allSatisfy { $0 == nil } })
    {
      return .oldDeviceUnavailable
    }
    return gained || current.input != nil && current.input != previous.input
      ? .newDeviceAvailable : .oldDeviceUnavailable
  }
}
