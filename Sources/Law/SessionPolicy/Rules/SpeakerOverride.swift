import SessionModel

/// The speaker override: a playAndRecord session uses the built-in speaker and microphone, whatever is plugged in, until its route
/// changes or it is interrupted (docs/develop/law/preferences.md#3-speaker-override).
enum SpeakerOverride {
  static func set(
    _ state: inout RouterState, _ id: SessionID, with override: PortOverride
  ) throws(SessionError) {
    try state.withSession(id) { session throws(SessionError) in
      guard override == .none || session.category == .playAndRecord else {
        throw SessionError(
          .incompatibleCategory,
          "\(id) is \(session.category.rawValue), whose output is not overridden; playAndRecord's is")
      }
      session.portOverride = override
      if override != .none { session.awaitedOutput = nil }
    }
  }

  /// Whether an override stays in force though ports appeared or disappeared.
  ///
  /// The override stays as long as the route that the session would have without it is the same. Before any device is found there is
  /// no such route, and the override waits.
  static func survives(
    _ session: Session, awaiting: PortID?, since former: AvailablePorts, now ports: AvailablePorts
  ) -> Bool {
    let plain = session.withoutOverride
    let hidden = Routing.route(of: plain, awaiting: session.awaitedOutput, among: former)
    return hidden.outputs.isEmpty
      || hidden == Routing.route(of: plain, awaiting: awaiting, among: ports)
  }

  /// Ends the speaker overrides of sessions that were just interrupted.
  static func end(_ state: inout RouterState, for ids: [SessionID]) {
    for id in ids where state.sessions[id]?.portOverride != PortOverride.none {
      guard let session = state.sessions[id]?.withoutOverride else { continue }
      let route = Routing.route(of: session, in: state)
      state.sessions[id]?.portOverride = .none
      state.sessions[id]?.route = route
    }
  }
}

extension Session {
  /// The session as it would be without its speaker override.
  var withoutOverride: Session {
    var session = self
    session.portOverride = .none
    return session
  }
}
