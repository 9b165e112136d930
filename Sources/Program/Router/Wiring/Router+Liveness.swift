import MixEngine
import ServerInterface
import SessionModel

/// Opens and closes gates, and tells the law which programs are connected, from the connections in the graph.
extension Router {
  /// Opens the gates of connected streams and ports and closes the others. Tells the law which sessions' programs are connected.
  ///
  /// A gate opens at once for a source that has just appeared: while the server makes its connection, so that its first sample is
  /// heard. All others open with a ramp when the connection exists.
  /// - Parameters:
  ///   - new: the streams all of whose sources have just appeared.
  ///   - closed: the engine frame at which a gate that starts to close now is closed.
  func updateGates(new: Set<StreamAddress>, closed: UInt64) {
    guard let connection else { return }
    let reconciler = connection.reconciler
    var live = Liveness()
    var (fed, captured) = (Set<SessionID>(), Set<SessionID>())
    for port in state.outputs.values where isConnected(port, .output, connection) {
      live.outputs.insert(port.id)
    }
    for port in state.inputs.values where port.isPlugged && isConnected(port, .input, connection) {
      live.inputs.insert(port.id)
    }
    for session in state.sessions.values {
      for stream in session.streams.values {
        let address = StreamAddress(session: session.id, stream: stream.id)
        let isFed = hasSource(stream, of: session, live, connection)
        if isFed { fed.insert(session.id) }
        let isNew = new.contains(address)
        guard isFed || (isNew && reconciler.connecting.contains(.stream(address))),
          !reconciler.mustClose(.stream(address))
        else { continue }
        live.streams.insert(address)
        if isNew, !connection.liveness.streams.contains(address) { live.beginning.insert(address) }
      }
      if !session.isConnected, fed.contains(session.id),
        session.streams.keys.allSatisfy({
          let address = StreamAddress(session: session.id, stream: $0)
          return new.contains(address) || !live.streams.contains(address)
        })
      {
        live.beginningSessions.insert(session.id)
      }
      if !reconciler.mustClose(.capture(session.id)) { live.captures.insert(session.id) }
      if isCaptured(session, connection) { captured.insert(session.id) }
    }
    for owner in connection.liveness.owners.subtracting(live.owners) {
      connection.reconciler.block(owner, until: closed)
    }
    connection.liveness = live
    updateMix()
    connection.watch.keep { state.sessions[$0] != nil }
    for session in state.sessions.values {
      // A stream still counts as connected while its gate is closed for a change of connections.
      // A session that only records has no stream. Its programs are those that its capture feeds.
      // A program that hangs is still there.
      let isHung = isHung(session, connection)
      let isConnected = isHung || (session.streams.isEmpty ? captured : fed).contains(session.id)
      let isVanishing = session.isConnected && !isConnected
      if session.isVanishing != isVanishing { happen(.vanishing(session.id, isVanishing)) }
      if session.isCapturing != captured.contains(session.id) {
        happen(.capturing(session.id, captured.contains(session.id)))
      }
      if let change = connection.watch.note(session, isConnected: isConnected, at: now) {
        happen(.connected(session.id, change))
      }
    }
    // From now on these gates move with ramps.
    (connection.liveness.beginning, connection.liveness.beginningSessions) = ([], [])
  }

  private func isConnected(_ port: Port, _ direction: Direction, _ connection: Connection) -> Bool {
    let owner = direction == .output ? LinkOwner.output(port.id) : .input(port.id)
    guard !connection.reconciler.mustClose(owner), port.channels > 0 else { return false }
    return (1...port.channels).contains { channel in
      let key = direction == .output ? PortKey.output(port.id, channel) : .input(port.id, channel)
      return connection.graph.isConnected(connection.name(of: key))
    }
  }

  /// Whether a program is connected to a session's capture.
  private func isCaptured(_ session: Session, _ connection: Connection) -> Bool {
    guard session.capture.channels > 0 else { return false }
    return (1...session.capture.channels).contains { channel in
      connection.graph.isConnected(connection.name(of: .capture(session.id, channel)))
    }
  }

  private func hasSource(
    _ stream: SessionStream, of session: Session, _ live: Liveness, _ connection: Connection
  ) -> Bool {
    for case .input(let id, let range) in stream.sources where live.inputs.contains(id) {
      guard let input = state.inputs[id] else { continue }
      if (1...stream.channels).contains(where: { input.channel(feeding: $0, of: range) != nil }) {
        return true
      }
    }
    return stream.ownChannels.contains { channel in
      connection.graph.isConnected(connection.name(of: .stream(session.id, stream.id, channel)))
    }
  }
}
