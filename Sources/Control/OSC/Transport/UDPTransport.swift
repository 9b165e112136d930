public import ControlInterface
import Synchronization

/// OSC over UDP, with one socket for each address of the router.
///
/// The socket that received a client's packets also sends the answers, because a connected client receives only from the address that
/// it sends to.
public final class UDPTransport: OSCTransport {
  public static let transport = Transport("udp", hasPorts: true)

  private let sockets: [UDPSocket]
  private let receivers = Mutex<[UDPReceiver]>([])
  /// The socket that received the last packet of each client; empty if there is only one socket.
  private let socketOfClient = Mutex<[PeerAddress: UDPSocket]>([:])

  /// Greatest number of clients in `socketOfClient`. A client that sends each message from another port must not fill the memory.
  private static let capacity = 4_096

  /// - Parameter sockets: at least one. No other code may receive from them.
  public init(_ sockets: [UDPSocket]) { self.sockets = sockets }

  public var endpoints: [Endpoint] { sockets.map(\.localAddress.endpoint) }

  public func start(_ reception: Reception) throws(SocketError) {
    for socket in sockets {
      let receiver = try UDPReceiver(
        socket: socket, name: "mr-osc", admit: { reception.admits($0.host) },
        peek: { reception.peek($0, Peer($1)) },
        handler: { [weak self] result, sender in
          self?.note(sender, at: socket)
          let peer = Peer(sender)
          if let answer = reception.receive(result, peer) { self?.send(.message(answer), to: peer) }
        })
      receivers.withLock { $0.append(receiver) }
    }
  }

  public func send(_ packet: OSCPacket, to peer: Peer) {
    let address = PeerAddress(peer)
    try? socket(for: address).send(PacketEncoder.encode(packet), to: address)
  }

  public func isOwn(_ peer: Peer) -> Bool {
    peer.transport == Self.transport && sockets.contains { $0.hasAddress(PeerAddress(peer)) }
  }

  public func takeExpired() -> [Peer] { sockets.flatMap { $0.takeExpired() }.map { Peer($0) } }

  public func takeResumed() -> [Peer] { sockets.flatMap { $0.takeResumed() }.map { Peer($0) } }

  public func stop() {
    for receiver in receivers.withLock({ $0 }) { receiver.stop() }
  }

  public var counters: ReceiverCounts {
    var counts = receivers.withLock { $0 }.reduce(into: ReceiverCounts()) { $0.add($1.counters) }
    counts.withheld = sockets.reduce(0) { $0 + $1.withheld }
    return counts
  }

  private func note(_ sender: PeerAddress, at socket: UDPSocket) {
    guard sockets.count > 1 else { return }
    socketOfClient.withLock { sockets in
      if sockets.count >= Self.capacity { sockets = [:] }
      sockets[sender] = socket
      // Port 0 stands for the host: a client may want feedback at another port of its host.
      sockets[sender.withPort(0)] = socket
    }
  }

  private func socket(for address: PeerAddress) -> UDPSocket {
    guard sockets.count > 1 else { return sockets[0] }
    return socketOfClient.withLock { $0[address] ?? $0[address.withPort(0)] }
      ?? sockets.first { $0.localAddress.family == address.family } ?? sockets[0]
  }
}

extension Peer {
  /// Makes the peer at an address.
  init(_ address: PeerAddress) {
    self.init(
      transport: UDPTransport.transport, host: address.host, endpoint: UInt32(address.port))
  }
}

extension PeerAddress {
  /// The address of a client of this transport.
  init(_ peer: Peer) { self.init(host: peer.host, port: peer.port) }
}
