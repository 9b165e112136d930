public import ControlInterface
import Synchronization
import Threads

/// OSC over WebSocket (RFC 6455): a binary message is one packet, and a text is handed on as it is.
///
/// A web server has the connections, and calls the functions of `WebSocketTransport+Server.swift` on its thread. Sending never waits: what a
/// client does not read waits in a bounded queue. Each message of OSC goes out in a frame of its own, because some clients read no bundles, unless
/// the bundle stays whole.
public final class WebSocketTransport: OSCTransport {
  public static let transport = Transport("websocket", hasPorts: false, isStream: true)

  let outbox = Mutex(WebSocketOutbox())
  let reception = Mutex<Reception?>(nil)
  let notices = Mutex(WebSocketNotices())
  let received = ReceiverCounters()
  let decoder = PacketDecoder(limits: .tcp)
  /// Wakes the thread of the web server.
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  public init() {}

  /// None: the web server has the ports.
  public var endpoints: [Endpoint] { [] }

  /// Lets the web server open connections from now on.
  public func start(_ reception: Reception) { self.reception.withLock { $0 = reception } }

  /// Sets what lets the web server take what waits. It must not wait.
  package func serve(by wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

  public func send(_ packet: OSCPacket, to peer: Peer) {
    var frames: [UInt8] = []
    WebSocketFrame.append(packet, to: &frames)
    send(frames, isFeedback: packet.isFeedback, to: peer)
  }

  public func send(text: [UInt8], to peer: Peer) {
    var frames: [UInt8] = []
    WebSocketFrame.append(text[...], .text, to: &frames)
    send(frames, isFeedback: false, to: peer)
  }

  private func send(_ frames: [UInt8], isFeedback: Bool, to peer: Peer) {
    let number = peer.endpoint
    let result = outbox.withLock { $0.send(frames, isFeedback: isFeedback, to: number) }
    if result.isFirstLoss { tell(.lost, peer.host) }
    if result.mustWake { wake.withLock(\.self)?() }
  }

  public func isConnected(_ peer: Peer) -> Bool { outbox.withLock { $0.has(peer.endpoint) } }

  /// The clients that are connected.
  public var clients: [Peer] { Self.peers(outbox.withLock(\.all)) }

  public func takeResumed() -> [Peer] { Self.peers(outbox.withLock { $0.takeResumed() }) }

  private static func peers(_ connections: [(number: UInt32, host: HostAddress)]) -> [Peer] {
    connections.map { Peer(transport: transport, host: $0.host, endpoint: $0.number) }
  }

  /// Opens and receives nothing more. The web server closes the connections.
  public func stop() { reception.withLock { $0 = nil } }

  public var counters: ReceiverCounts {
    var counts = ReceiverCounts()
    counts.add(received)
    counts.withheld = outbox.withLock(\.lost)
    return counts
  }

  func tell(_ notice: WebSocketNotices.Notice, _ host: HostAddress) {
    guard let line = notices.withLock({ $0.line(notice, of: host, at: MonotonicTime.now) }) else { return }
    reception.withLock(\.self)?.tell(line)
  }
}

extension OSCPacket {
  /// Whether the packet is feedback, which its client can do without until it has read what waits. Answers never are.
  fileprivate var isFeedback: Bool {
    switch self {
    case .message: false
    case .encoded: true
    case .bundle(let bundle): bundle.elements.first?.messages.first?.address == "/seq"
    }
  }
}
