import ControlInterface
import OSC
import Synchronization

/// The packets that wait for the policy thread. Each client has a queue, and the queues are served in turn, so that a client that floods
/// the router makes no other client wait.
///
/// Clients that are registered or were heard before take turns with each other and with the strangers of each host. The strangers of a
/// host share one turn, because a host may send each packet from another port. A newer value of a fader replaces an older one of the same client.
final class Inbox: Sendable {
  private let state = Mutex(InboxState())
  private let tree: AddressTree

  /// The limits of waiting packets.
  enum Limit {
    /// Packets of a client, of the strangers of a host, and of all clients.
    static let (client, strangers, all) = (1_024, 2_048, 4_096)
    /// Bytes of a client and of all clients.
    static let (clientBytes, allBytes) = (1 << 20, 16 << 20)
  }

  init(_ tree: AddressTree) { self.tree = tree }

  /// The result of `add`.
  enum Addition {
    /// The packet waits; a further turn is needed.
    case waits
    /// The packet has replaced an older one, whose turn it takes.
    case replaced
    /// There is no room, and the packet is dropped.
    case dropped
  }

  /// Adds a packet. Any thread.
  /// - Parameter time: the present time, in seconds of any clock.
  func add(_ packet: OSCPacket, from peer: Peer, at time: Double) -> Addition {
    let item = WaitingPacket(
      content: .packet(packet), faders: tree.faders(of: packet), bytes: packet.weight,
      isTimed: packet.isTimed)
    return state.withLock { $0.add(item, from: peer, at: time) }
  }

  /// Takes what has its turn, with its client; nil if nothing waits.
  func next() -> (content: WaitingPacket.Content, peer: Peer)? {
    state.withLock { state in state.next().map { ($0.content, $1) } }
  }

  /// Puts a command whose answers are not finished in front of the client's later packets. It goes on when its client has its next turn.
  func putBack(_ command: SurfaceCommand, of peer: Peer) { state.withLock { $0.putBack(command, of: peer) } }

  /// Removes the newest packet of a client again, because no turn could be made for it.
  func withdraw(from peer: Peer) { state.withLock { $0.withdraw(from: peer) } }

  /// Whether packets of a client wait.
  func hasPackets(of peer: Peer) -> Bool { state.withLock { $0.hasPackets(of: peer) } }

  /// Sets the clients that are registered, and those of them whose bundles take effect at their times. All others are strangers.
  func register(_ clients: Set<Peer>, punctual: Set<Peer> = []) {
    state.withLock { ($0.registered, $0.punctual) = (clients, punctual) }
  }

  /// The numbers of packets since the start.
  var counts: (replaced: Int, dropped: Int) { state.withLock { ($0.replaced, $0.dropped) } }

  /// Whether dropped packets must be reported. Once true, it is false until `takeLosses`.
  func mustReport() -> Bool {
    state.withLock { state in
      defer { state.isReporting = true }
      return !state.isReporting
    }
  }

  /// Takes the number of packets that were dropped since the last call, and the client of the last one; nil if none was dropped.
  func takeLosses() -> (count: Int, peer: Peer)? {
    state.withLock { state in
      guard let loser = state.loser else { return nil }
      defer { (state.loser, state.reported, state.isReporting) = (nil, state.dropped, false) }
      return (state.dropped - state.reported, loser)
    }
  }
}
