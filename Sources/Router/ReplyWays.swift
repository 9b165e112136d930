import OSC
import Synchronization

/// Which socket heard each peer: answers leave by it, since a client that talks to one address hears from no other.
///
/// Any thread may call it.
final class ReplyWays: Sendable {
  private let sockets = Mutex<[PeerAddress: UDPSocket]>([:])

  /// Most peers that are remembered; clients that send each message from another port must not fill the memory.
  private static let capacity = 4_096

  /// Notes that a socket heard a peer.
  func note(_ peer: PeerAddress, at socket: UDPSocket) {
    sockets.withLock { sockets in
      if sockets.count >= Self.capacity { sockets = [:] }
      sockets[peer] = socket
      // For feedback to another port of the same host.
      sockets[peer.withPort(0)] = socket
    }
  }

  /// The way to a peer; nil for one that nobody heard.
  func socket(to peer: PeerAddress) -> UDPSocket? { sockets.withLock { $0[peer] ?? $0[peer.withPort(0)] } }
}
