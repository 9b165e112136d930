import SessionModel

/// Keeps a stream away from the outputs that its `never` lists, whether a command, a recall, a map, an override or a new device
/// would send it there.
enum Guards {
  /// The error for a stream that would reach an output against its guard; nil if it may reach it.
  static func refusal(
    of stream: SessionStream, of session: SessionID, reaching port: PortID
  ) -> SessionError? {
    guard stream.isGuarded(against: port) else { return nil }
    let reason =
      stream.never.contains(port)
      ? "it never goes to \(port)"
      : "\(port) shares a JACK port with \(stream.never.map(\.name).joined(separator: " or ")), to which it never goes"
    return SessionError(.denied, "\(session).\(stream.id) is guarded: \(reason); change its 'never' first")
  }

  /// Sets the list, and removes the stream's destinations at outputs that are in it.
  static func set(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, never: [PortID]
  ) throws(SessionError) {
    try state.withStream(session, id) { stream throws(SessionError) in
      stream.never = never
      for port in never { stream.destinations[port] = nil }
    }
  }

  /// Extends each guard to the outputs that reach the same JACK ports under another name, and ends the destinations there. Without that,
  /// a second preset that names the same device differently would lead past the guard.
  static func apply(_ state: inout RouterState, after event: Event) {
    switch event {
    case .portsPresent, .declarePort, .forgetPort, .createStream, .stream(_, _, .never): break
    default: return
    }
    let guarded = state.sessions.keys { session in
      session.streams.contains { (stream: SessionStream) in stream.hasGuard }
    }
    for id in guarded {
      for stream in state.sessions[id]?.streams.values.filter(\.hasGuard) ?? [] {
        let alike = outputs(reaching: stream.never, of: stream, in: state.outputs)
        guard alike != stream.neverByPorts || alike.contains(where: stream.destinations.contains) else {
          continue
        }
        state.sessions[id]?.streams[stream.id]?.neverByPorts = alike
        for port in alike { state.sessions[id]?.streams[stream.id]?.destinations[port] = nil }
      }
    }
  }

  /// The outputs that share a JACK port with a guarded one, or that have one which was the guarded one's before another preset named it.
  /// An output that did so before stays guarded while its device is away.
  private static func outputs(
    reaching never: [PortID], of stream: SessionStream, in outputs: Registry<PortID, Port>
  ) -> [PortID] {
    guard !never.isEmpty else { return [] }
    let guarded = Set(
      never.compactMap { outputs[$0] }.flatMap { $0.members.compactMap(\.self) + $0.membersOfOthers })
    return outputs.values.filter { port in
      !never.contains(port.id)
        && (port.members.contains { $0.map(guarded.contains) ?? false }
          || !port.isPresent && stream.neverByPorts.contains(port.id))
    }.map(\.id)
  }
}

extension SessionStream {
  /// Whether the stream may be kept away from any output.
  fileprivate var hasGuard: Bool { !never.isEmpty || !neverByPorts.isEmpty }
}
