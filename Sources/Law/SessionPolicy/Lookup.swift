import SessionModel

extension RouterState {
  /// Changes a session in place.
  /// - Throws: `SessionError` notFound, with the names that exist, if there is no such session; what `body` throws.
  mutating func withSession<Result>(
    _ id: SessionID, _ body: (inout Session) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard let result = try sessions.update(id, body) else {
      throw missing("session", id.name, among: sessions.keys)
    }
    return result
  }

  /// Changes a stream in place.
  /// - Throws: `SessionError` notFound, with the names that exist, if there is no such session or stream; what `body` throws.
  mutating func withStream<Result>(
    _ sessionID: SessionID, _ id: StreamID,
    _ body: (inout SessionStream) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try withSession(sessionID) { session throws(SessionError) in
      guard let result = try session.streams.update(id, body) else {
        throw missing("stream", "\(sessionID).\(id)", among: session.streams.keys)
      }
      return result
    }
  }
}

/// The error for a name that does not exist; its sentence offers names that do.
func missing<Subject>(
  _ what: String, _ name: String, among known: [Identifier<Subject>]
) -> SessionError {
  SessionError(
    .notFound, "there is no \(what) \(name); \(NearestName.hint(for: name, among: known.map(\.name)))")
}

/// The error for a port id that no preset names and no device ever had (docs/develop/law/multi-route.md#3-destinations).
func unknown(_ direction: Direction, _ id: PortID, among known: [PortID]) -> SessionError {
  let hint = NearestName.hint(for: id.name, among: known.map(\.name))
  return SessionError(.badParam, "there is no \(direction.rawValue) \(id); \(hint)")
}

extension Control {
  /// Sets, fades, stops or stores the value.
  /// - Parameters:
  ///   - time: now, in seconds of the router's time.
  ///   - isLevel: whether the value is a level in dB, which fades along the fader's travel.
  ///   - maximum: the highest value that takes effect.
  mutating func move(
    _ move: ControlMove, curve: FadeCurve, at time: Double, isLevel: Bool, maximum: Double = .infinity
  ) {
    switch move {
    case .set(let value, let seconds):
      fade(to: min(value, maximum), over: seconds, curve: curve, at: time, isLevel: isLevel)
    case .stop: if isFading(at: time) { set(min(self.value(at: time, isLevel: isLevel), maximum)) }
    case .store(let value, let seconds):
      fade(to: min(value, maximum), over: seconds, curve: curve, at: time, isLevel: isLevel)
      stored = value
    case .remember(let value): stored = value
    }
  }

  /// Lowers a level that is above a new maximum, now or at the end of its fade. A fade that comes from above the maximum goes to its end
  /// at once.
  mutating func lower(to maximum: Double, at time: Double) {
    if target > maximum || value(at: time, isLevel: true) > maximum { set(min(target, maximum)) }
  }
}
