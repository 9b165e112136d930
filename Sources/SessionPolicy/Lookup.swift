import SessionModel

extension RouterState {
  /// Changes a session, or says which ones there are.
  /// - Throws: `SessionError` notFound.
  mutating func withSession<Result>(
    _ id: SessionID, _ body: (inout Session) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard var session = sessions[id] else { throw missing("session", id.name, among: sessions.keys) }
    let result = try body(&session)
    sessions[id] = session
    return result
  }

  /// Changes a stream, or says which ones there are.
  /// - Throws: `SessionError` notFound.
  mutating func withStream<Result>(
    _ sessionID: SessionID, _ id: StreamID,
    _ body: (inout SessionStream, Session) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try withSession(sessionID) { session throws(SessionError) in
      guard var stream = session.streams[id] else {
        throw missing("stream", "\(sessionID).\(id)", among: session.streams.keys)
      }
      let result = try body(&stream, session)
      session.streams[id] = stream
      return result
    }
  }
}

/// The error for a name that nobody has.
func missing<Subject>(
  _ what: String, _ name: String, among known: [Identifier<Subject>]
) -> SessionError {
  SessionError(
    .notFound, "there is no \(what) \(name); \(NearestName.hint(for: name, among: known.map(\.name)))")
}

/// The error for a port id that is in no preset and was never seen (osc contract, "Channels").
func unknown(_ direction: Direction, _ id: PortID, among known: [PortID]) -> SessionError {
  let hint = NearestName.hint(for: id.name, among: known.map(\.name))
  return SessionError(.badParam, "there is no \(direction.rawValue) \(id); \(hint)")
}

extension Control {
  /// Carries out a move.
  mutating func move(_ move: ControlMove, curve: FadeCurve, at time: Double, isLevel: Bool) {
    switch move {
    case .set(let value): set(value)
    case .fade(let value, let seconds) where seconds > 0:
      fade(to: value, over: seconds, curve: curve, at: time, isLevel: isLevel)
    case .fade(let value, _): set(value)
    case .stop: if isFading(at: time) { set(self.value(at: time, isLevel: isLevel)) }
    case .store(let value):
      set(value)
      stored = value
    }
  }
}
