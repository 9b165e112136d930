import SessionModel

/// The speaker override: built-in speaker and microphone in place of everything else, until something changes (semantics, section
/// 10).
enum Overriding {
  static func override(
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

  /// Whether an override goes on though ports came or went: only as long as the route that it hides stays as it is. One that
  /// hides nothing yet, as before the devices are found, waits for them.
  static func survives(
    _ session: Session, awaiting: PortID?, since former: Plugs, now plugs: Plugs
  ) -> Bool {
    let plain = session.withoutOverride
    let hidden = Routing.route(of: plain, awaiting: session.awaitedOutput, among: former)
    return hidden.outputs.isEmpty
      || hidden == Routing.route(of: plain, awaiting: awaiting, among: plugs)
  }

  /// Ends the overrides of sessions that were interrupted.
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
  /// The session as if nobody had overridden its output.
  var withoutOverride: Session {
    var session = self
    session.portOverride = .none
    return session
  }
}
