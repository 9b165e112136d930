extension RouterState {
  /// The group that silences a stream on its way to an output; nil if none does. A send that is tapped before a mute or gain is heard in
  /// spite of it.
  func silencingGroup(of stream: SessionStream, in session: Session, at port: PortID) -> GroupID? {
    guard groups.contains(where: { $0.silences(byGain: true) }) else { return nil }
    let tap = session.destination(of: stream, at: port)?.tap ?? .post
    if tap != .input {
      for member in [GroupMember.session(session.id), .stream(session.id, stream.id)] {
        if let group = silencer(of: member, byGain: tap == .post) { return group }
      }
    }
    return silencer(of: .output(port))
  }

  /// The group that silences the first stream of a session that would be heard without groups; nil if there is none.
  func silencingGroup(of session: Session) -> GroupID? {
    guard groups.contains(where: { $0.silences(byGain: true) }) else { return nil }
    for port in session.route.outputs where !isSilentOnDesktop(port) {
      for stream in session.streams.values
      where !isSilentOnDesktop(stream) && reachesWithoutGroups(stream, of: session, port) {
        if let group = silencingGroup(of: stream, in: session, at: port) { return group }
      }
    }
    return nil
  }

  /// What a group does that silences its members.
  func silencing(_ id: GroupID) -> String {
    groups.contains(id, where: \.isMuted) ? "muted by group \(id)" : "turned off by group \(id)"
  }
}
