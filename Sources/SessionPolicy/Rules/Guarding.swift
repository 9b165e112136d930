import SessionModel

/// A guard: no command, recall, map, override or hotplug ever sends a stream where its `never` says.
enum Guarding {
  static func check(
    _ stream: SessionStream, of session: SessionID, reaching port: PortID
  ) throws(SessionError) {
    guard stream.never.contains(port) else { return }
    throw SessionError(
      .denied, "\(session).\(stream.id) is guarded: it never goes to \(port); change its 'never' first")
  }

  /// Sets the guard; destinations that it forbids end at once.
  static func guardStream(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, never: [PortID]
  ) throws(SessionError) {
    try state.withStream(session, id) { stream, _ throws(SessionError) in
      stream.never = never
      for port in never { stream.destinations[port] = nil }
    }
  }
}
