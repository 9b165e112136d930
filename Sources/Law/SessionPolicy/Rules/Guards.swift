import SessionModel

/// Keeps a stream away from the outputs that its `never` lists, whether a command, a recall, a map, an override or a new device
/// would send it there.
enum Guards {
  static func check(
    _ stream: SessionStream, of session: SessionID, reaching port: PortID
  ) throws(SessionError) {
    guard stream.never.contains(port) else { return }
    throw SessionError(
      .denied, "\(session).\(stream.id) is guarded: it never goes to \(port); change its 'never' first")
  }

  /// Sets the list, and removes the stream's destinations at outputs that are in it.
  static func set(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, never: [PortID]
  ) throws(SessionError) {
    try state.withStream(session, id) { stream, _ throws(SessionError) in
      stream.never = never
      for port in never { stream.destinations[port] = nil }
    }
  }
}
