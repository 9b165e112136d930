import ControlInterface
import ServerInterface
import SessionModel

/// Goes on without programs that hang.
extension Router {
  /// Looks for programs that keep the server from calling the audio thread. The next decision about connections leaves them out, and takes
  /// them in again when they go on.
  func followHangs() {
    guard let connection, !isStopping, !connection.isSetAside else { return }
    connection.hangs.follow()
    guard let clients = connection.hangs.takeNews() else { return }
    connection.hung.note(stopped: clients, request: connection.next)
    wire()
  }

  /// Removes the connections at the outputs of programs that hang, and reports these programs.
  ///
  /// No sound leaves the router meanwhile, so the connections need no fade.
  func leaveHungPrograms(_ connection: Connection) {
    for link in connection.hung.follow(connection.graph, request: connection.next) {
      _ = connection.reconciler.forget(link)
    }
    noteHungPrograms(connection)
  }

  /// Tells the law which programs hang, and reports those that the router goes on without.
  func noteHungPrograms(_ connection: Connection) {
    let (now, before) = (connection.hung.list, state.hungPrograms)
    guard now != before else { return }
    let known = Set(before.filter(\.isDisconnected).map(\.client))
    let left = Set(now.filter(\.isDisconnected).map(\.client))
    for program in now where program.isDisconnected && !known.contains(program.client) {
      tell(.error(client: 0, address: "", SessionError(.io, program.sentence)))
    }
    for client in known.subtracting(left).sorted() {
      tell(.error(client: 0, address: "", SessionError(.io, "the program \(client) goes on or has ended")))
    }
    happen(.hungPrograms(now))
  }

  /// Whether a program that hangs feeds a session. The session counts as connected, because the program is still there.
  func isHung(_ session: Session, _ connection: Connection) -> Bool {
    guard connection.hung.hasRemoved else { return false }
    return session.streams.values.contains { stream in
      let programs = stream.ownChannels.map { PortKey.stream(session.id, stream.id, $0) }
      let inputs = stream.sources.flatMap { source -> [PortKey] in
        guard case .input(let id, _) = source, let input = state.inputs[id] else { return [] }
        return (0..<input.channels).map { .input(id, $0 + 1) }
      }
      return (programs + inputs).contains { connection.hung.concerns(connection.name(of: $0)) }
    }
  }
}
