public import ControlInterface
import Synchronization

/// OSC over datagram sockets in the file system, for programs of the same user. liblo's address of such a socket is `osc.unix:///path`.
///
/// Its clients have this machine's permission, which is admin (docs/develop/law/osc.md#14-rights). The socket that received a client's packets
/// also sends the answers, because a client that is connected to one socket receives from no other.
public final class UnixTransport: OSCTransport {
  public static let transport = Transport("unix", hasPorts: false)

  private let sockets: [UnixSocket]
  private let receivers = Mutex<[PacketReceiver<UnixSocket>]>([])
  private let clients = Mutex(UnixClients())

  /// - Parameter sockets: at least one. No other code may receive from them.
  public init(_ sockets: [UnixSocket]) { self.sockets = sockets }

  public var endpoints: [Endpoint] { sockets.map { .unix(path: $0.path) } }

  public func start(_ reception: Reception) throws(SocketError) {
    for (index, socket) in sockets.enumerated() {
      let receiver = try PacketReceiver(
        socket: socket, name: "mr-osc-unix",
        peek: { [weak self] in if let peer = self?.peer($1, index) { reception.peek($0, peer) } },
        handler: { [weak self] result, sender in
          guard let self else { return }
          let peer = peer(sender, index)
          if let answer = reception.receive(result, peer) { send(.message(answer), to: peer) }
        })
      receivers.withLock { $0.append(receiver) }
    }
  }

  private func peer(_ address: UnixAddress, _ socket: Int) -> Peer {
    let client = UnixClients.Client(socket: socket, address: address)
    return Peer(
      transport: Self.transport, host: .loopback, endpoint: clients.withLock { $0.number(of: client) })
  }

  public func send(_ packet: OSCPacket, to peer: Peer) {
    guard let client = clients.withLock({ $0[peer.endpoint] }) else { return }
    try? sockets[client.socket].send(PacketEncoder.encode(packet), to: client.address)
  }

  /// Stops receiving and removes the sockets' files. Calling it again has no effect.
  public func stop() {
    for receiver in receivers.withLock({ $0 }) { receiver.stop() }
    removeFiles()
  }

  public func removeFiles() { for socket in sockets { socket.removeFile() } }

  public var counters: ReceiverCounts {
    receivers.withLock { $0 }.reduce(into: ReceiverCounts()) { $0.add($1.counters) }
  }
}

/// Gives each client of a Unix socket a number with its first packet, because a `Peer` needs a number and such clients have only names.
struct UnixClients {
  /// A client, by its address and by the socket of the router that it sends to.
  struct Client: Hashable {
    /// Index of the socket among those of the transport.
    var socket: Int
    var address: UnixAddress
  }

  private var numbers: [Client: UInt32] = [:]
  private var clients: [UInt32: Client] = [:]
  private var last: UInt32 = 0

  /// Greatest number of clients. A program that opens a new socket for each message must not fill the memory.
  static let capacity = 4_096

  /// The client with a number; nil if there is none.
  subscript(number: UInt32) -> Client? { clients[number] }

  /// The number of a client. All clients without an address have the number 0, because nothing can be sent to them.
  mutating func number(of client: Client) -> UInt32 {
    guard client.address.isBound else { return 0 }
    if let number = numbers[client] { return number }
    if numbers.count >= Self.capacity { (numbers, clients) = ([:], [:]) }
    last &+= 1
    (numbers[client], clients[last]) = (last, client)
    return last
  }
}
