public import ControlInterface
import Synchronization
import SystemCalls
import Threads

/// OSC over TCP: one thread for all connections, which sleeps while nothing arrives.
///
/// The first byte of a connection decides its framing, in both directions. Each connection is a client of its own. Sending never waits: what a
/// client does not read waits in a bounded queue, and a client that leaves too much unread is dropped.
public final class TCPTransport: OSCTransport {
  public static let transport = Transport("tcp", hasPorts: false, isStream: true)

  private let listeners: [TCPListener]
  private let lines = Mutex<TCPLines?>(nil)
  private let thread = Mutex<OwnThread?>(nil)
  private let received = ReceiverCounters()

  /// - Parameter listeners: at least one. No other code may accept connections from them.
  public init(_ listeners: [TCPListener]) { self.listeners = listeners }

  deinit { stop() }

  public var endpoints: [Endpoint] { listeners.map(\.localAddress.tcpEndpoint) }

  public func start(_ reception: Reception) throws(SocketError) {
    let lines: TCPLines
    do throws(SystemError) { lines = try TCPLines() } catch { throw SocketError(error) }
    var loop = TCPLoop(listeners, lines, reception, received)
    do throws(SystemError) { try loop.watchListeners() } catch { throw SocketError(error) }
    do throws(OwnThread.Failure) {
      let thread = try OwnThread.start("mr-osc-tcp") { [loop] in
        var loop = loop
        loop.run()
      }
      self.thread.withLock { $0 = thread }
    } catch { throw .system(call: "pthread_create", number: error.code, address: nil) }
    self.lines.withLock { $0 = lines }
  }

  public func send(_ packet: OSCPacket, to peer: Peer) {
    let bytes = PacketEncoder.encode(packet)
    // As over UDP, a packet that no client could receive is lost.
    guard bytes.count <= Framing.limit else { return }
    lines.withLock(\.self)?.outbox.withLock { $0.send(bytes, to: peer.endpoint) }
  }

  public func isConnected(_ peer: Peer) -> Bool {
    lines.withLock(\.self)?.outbox.withLock { $0.isWhole(peer.endpoint) } ?? false
  }

  public func takeListening() -> [Peer] {
    let lines = lines.withLock(\.self)?.outbox.withLock { $0.takeListening() } ?? []
    return lines.map { Peer(transport: Self.transport, host: $0.host, endpoint: $0.number) }
  }

  public func hangUp(_ peer: Peer) { lines.withLock(\.self)?.outbox.withLock { $0.hangUp(peer.endpoint) } }

  /// Ends the thread, and closes all connections. Calling it again has no effect.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }), let lines = lines.withLock({ $0.take() }) else {
      return
    }
    lines.ring()
    if thread.isCurrent { thread.detach() } else { thread.join() }
    lines.outbox.withLock { $0.closeAll() }
  }

  public var counters: ReceiverCounts {
    var counts = ReceiverCounts()
    counts.add(received)
    return counts
  }
}
