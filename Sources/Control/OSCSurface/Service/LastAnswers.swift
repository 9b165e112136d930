import ControlInterface

/// The clients that send nothing more, and the answers that come later than their packets. Such a client's connection ends behind its last answer.
struct LastAnswers {
  /// Answers that are still to come, of clients with connections.
  private var open: [Peer: Int] = [:]
  private(set) var listening: Set<Peer> = []

  mutating func expect(for peer: Peer) { if peer.transport.isStream { open[peer, default: 0] += 1 } }

  mutating func arrived(for peer: Peer) {
    guard let count = open[peer] else { return }
    open[peer] = count > 1 ? count - 1 : nil
  }

  /// Notes that clients send nothing more.
  mutating func listen(_ peers: [Peer]) { listening.formUnion(peers) }

  /// Takes the clients that have all answers.
  ///
  /// - Parameter isWaiting: whether a packet of a client waits to be carried out.
  mutating func takeDone(_ isWaiting: (Peer) -> Bool) -> [Peer] {
    let done = listening.filter { open[$0] == nil && !isWaiting($0) }
    listening.subtract(done)
    return Array(done)
  }
}
