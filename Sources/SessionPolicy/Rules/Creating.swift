import SessionModel

/// Sessions and streams come and go.
enum Creating {
  /// Ids that the address space uses for commands.
  static let reserved: Set<String> = ["create", "remove", "list"]

  static func session(
    _ state: inout RouterState, _ id: SessionID, _ configuration: SessionConfiguration
  ) throws(SessionError) -> [Notification] {
    guard !reserved.contains(id.name) else {
      throw SessionError(.badValue, "\(id) is a command's name; choose another id")
    }
    guard state.sessions[id] == nil else {
      throw SessionError(.exists, "there is a session \(id) already; remove it first or choose another id")
    }
    guard state.sessions.count < RouterState.maximumSessions else {
      throw SessionError(
        .full, "there are \(state.sessions.count) sessions, which is the most; remove one first")
    }
    var session = Session(id: id)
    try Configuring.check(configuration)
    Configuring.apply(configuration, to: &session)
    state.sessions[id] = session
    return [.session(id, .created)]
  }

  static func removal(_ state: inout RouterState, _ id: SessionID) throws(SessionError) -> [Notification] {
    guard state.sessions.contains(id) else { throw missing("session", id.name, among: state.sessions.keys) }
    let deactivation = Activating.stop(&state, id, notifyingOthers: true, by: .app)
    state.sessions[id] = nil
    for other in state.sessions.keys(where: { $0.capture.sessions.contains(id) }) {
      state.sessions[other]?.capture.sessions[id] = nil
    }
    if state.nowPlaying == id { state.nowPlaying = nil }
    return deactivation + [.session(id, .removed)]
  }

  static func stream(
    _ state: inout RouterState, _ sessionID: SessionID, _ id: StreamID, channels: Int, placed: Bool
  ) throws(SessionError) {
    try state.withSession(sessionID) { session throws(SessionError) in
      guard session.category.hasStreams else {
        throw SessionError(
          .incompatibleCategory,
          "\(sessionID) is \(session.category.rawValue), which has no output to stream to")
      }
      guard id.name != "capture", !reserved.contains(id.name) else {
        throw SessionError(.badValue, "\(id) is no stream id: the address space uses it; choose another")
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
        throw SessionError(.full, "\(sessionID) has \(session.streams.count) streams, which is the most")
      }
      var stream = SessionStream(id: id, channels: channels)
      stream.isPlacedByDefault = placed
      session.streams[id] = stream
    }
  }

  static func streamRemoval(
    _ state: inout RouterState, _ sessionID: SessionID, _ id: StreamID
  ) throws(SessionError) {
    try state.withSession(sessionID) { session throws(SessionError) in
      guard session.streams[id] != nil else {
        throw missing("stream", "\(sessionID).\(id)", among: session.streams.keys)
      }
      session.streams[id] = nil
    }
  }
}
