import SessionModel

/// Chooses the data source of each input: a source may have modes for which it is meant, and an active session in such a mode that
/// captures from the input chooses it, unless the operator has chosen one (docs/develop/law/preferences.md#4-data-sources).
enum DataSources {
  /// Refuses a source that the input does not have.
  static func check(_ source: String, of port: Port) throws(SessionError) {
    let known = port.sources.map(\.id)
    guard !known.contains(source) else { return }
    throw SessionError(
      .badParam,
      known.isEmpty
        ? "\(port.id) has one data source only; write none"
        : "\(port.id) has no data source \(source); \(NearestName.hint(for: source, among: known))")
  }

  /// Lets the modes choose, and notifies the active sessions whose input has another source now.
  static func apply(_ state: inout RouterState, appendingTo notifications: inout [Notification]) {
    let isConcerned = state.inputs.contains { (port: Port) in
      port.sourceOfMode != nil || port.sources.contains { !$0.modes.isEmpty }
    }
    guard isConcerned else { return }
    for port in state.inputs.values {
      let chosen = choice(for: port, in: state)
      guard chosen != port.sourceOfMode else { continue }
      state.inputs[port.id]?.sourceOfMode = chosen
      guard let now = state.inputs[port.id], now.currentSource != port.currentSource else { continue }
      let told = Set(notifications.compactMap(\.rerouted))
      notifications += reconfigured(state, by: port.id).filter { $0.rerouted.map(told.contains) != true }
    }
  }

  /// The source that the newest active session chooses whose mode has one.
  private static func choice(for port: Port, in state: RouterState) -> String? {
    guard port.sources.contains(where: { !$0.modes.isEmpty }) else { return nil }
    func source(of session: Session) -> String? {
      port.sources.first { $0.modes.contains(session.mode) }?.id
    }
    let sessions = state.sessions.values.filter { session in
      session.isActive && session.route.inputs.contains(port.id) && source(of: session) != nil
    }
    return sessions.max { $0.activationNumber < $1.activationNumber }.flatMap(source)
  }

  /// Notifies the active sessions that capture from a port of its new data source, though their route stays the same.
  static func reconfigured(_ state: RouterState, by input: PortID) -> [Notification] {
    state.sessions.values.filter { $0.isActive && $0.route.inputs.contains(input) }.map {
      .route($0.id, .routeConfigurationChange, previous: $0.route, current: $0.route)
    }
  }
}

extension Notification {
  /// The session that is told of another route.
  fileprivate var rerouted: SessionID? { if case .route(let id, _, _, _) = self { id } else { nil } }
}
