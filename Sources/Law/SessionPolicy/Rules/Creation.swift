import SessionModel

/// Creates and removes sessions and streams.
enum Creation {
  static func createSession(
    _ state: inout RouterState, _ id: SessionID, _ configuration: SessionConfiguration, at time: Double
  ) throws(SessionError) -> [Notification] {
    guard state.sessions[id] == nil else {
      throw SessionError(.exists, "there is a session \(id) already; remove it first or choose another id")
    }
    guard state.sessions.count < RouterState.maximumSessions else {
      throw SessionError(
        .full, "there are \(state.sessions.count) sessions, the maximum; remove one first")
    }
    var session = Session(id: id)
    try Categories.check(configuration)
    Categories.apply(configuration, to: &session)
    if let maximum = state.remembered.takeMaximum(of: id) {
      session.maximum = maximum
      session.gain.lower(to: maximum, at: time)
    }
    state.sessions[id] = session
    return [.session(id, .created)]
  }

  static func removeSession(_ state: inout RouterState, _ id: SessionID) throws(SessionError)
    -> [Notification]
  {
    guard state.sessions.contains(id) else { throw missing("session", id.name, among: state.sessions.keys) }
    let deactivation = Activations.stop(&state, id, notifyingOthers: true, by: .app)
    if let session = state.sessions[id] { state.remembered.note(session) }
    state.sessions[id] = nil
    for other in state.sessions.keys(where: { $0.capture.sessions.contains(id) }) {
      state.sessions[other]?.capture.sessions[id] = nil
    }
    if state.nowPlaying == id { state.nowPlaying = nil }
    return deactivation + [.session(id, .removed)]
  }

  static func createStream(
    _ state: inout RouterState, _ sessionID: SessionID, _ id: StreamID, channels: Int, placed: Bool
  ) throws(SessionError) {
    var remembered = state.remembered
    try state.withSession(sessionID) { session throws(SessionError) in
      guard session.category.hasStreams else {
        throw SessionError(
          .incompatibleCategory,
          "\(sessionID) is \(session.category.rawValue), which has no output to stream to")
      }
      guard id.name != "capture" else {
        throw SessionError(
          .badValue, "\(id) is no stream id: the JACK ports of a capture are named so; choose another")
      }
      guard session.streams[id] == nil else {
        throw SessionError(
          .exists, "\(sessionID) has a stream \(id) already; remove it first or choose another id")
      }
      guard (1...SessionStream.maximumChannels).contains(channels) else {
        throw SessionError(
          .outOfRange, "a stream has 1 to \(SessionStream.maximumChannels) channels, not \(channels)")
      }
      guard session.streams.count < RouterState.maximumStreams else {
        throw SessionError(
          .full, "\(sessionID) has \(session.streams.count) streams, the maximum; remove one first")
      }
      var stream = SessionStream(id: id, channels: channels)
      stream.isPlacedByDefault = placed
      stream.never = remembered.takeGuard(of: id, in: sessionID)
      session.streams[id] = stream
    }
    state.remembered = remembered
  }

  static func removeStream(
    _ state: inout RouterState, _ sessionID: SessionID, _ id: StreamID
  ) throws(SessionError) {
    var remembered = state.remembered
    try state.withSession(sessionID) { session throws(SessionError) in
      guard let stream = session.streams[id] else {
        throw missing("stream", "\(sessionID).\(id)", among: session.streams.keys)
      }
      remembered.note(stream, of: sessionID)
      session.streams[id] = nil
    }
    state.remembered = remembered
  }
}
