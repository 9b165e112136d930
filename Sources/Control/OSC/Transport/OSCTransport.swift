public import ControlInterface

/// Receives packets from clients and sends answers to them, for one kind of socket. A further transport is one further file.
///
/// Any thread may send.
public protocol OSCTransport: AnyObject, Sendable {
  /// The transport that its peers have.
  static var transport: Transport { get }

  /// The endpoints at which it receives; each UDP endpoint has the port that the system chose. A transport within another server has none.
  var endpoints: [Endpoint] { get }

  /// Starts to receive.
  /// - Throws: `SocketError` if the system cannot make a thread.
  func start(_ reception: Reception) throws(SocketError)

  /// Sends a packet without waiting. A packet that the system refuses is lost, without an error.
  func send(_ packet: OSCPacket, to peer: Peer)

  /// Sends text that is no OSC, in UTF-8, without waiting. A transport without text loses it.
  func send(text: [UInt8], to peer: Peer)

  /// Whether a peer is one of the transport's own sockets.
  func isOwn(_ peer: Peer) -> Bool

  /// Takes the peers that have refused all packets for 30 s, without a message from there.
  func takeExpired() -> [Peer]

  /// Takes the peers that have refused packets and accept them again.
  func takeResumed() -> [Peer]

  /// Whether a peer's connection is open in both directions. A peer whose connection has ended never comes back.
  func isConnected(_ peer: Peer) -> Bool

  /// Takes the peers that send nothing more but read on. Each gets the answers to what it has sent, and then `hangUp`.
  func takeListening() -> [Peer]

  /// Ends a peer's connection behind what was sent to it.
  func hangUp(_ peer: Peer)

  /// Stops receiving. Calling it again has no effect.
  func stop()

  /// Removes the files that others would find at its endpoints, without waiting for threads. Calling it again has no effect.
  func removeFiles()

  /// The numbers of packets received, dropped and refused so far.
  var counters: ReceiverCounts { get }
}

extension OSCTransport {
  public func send(text: [UInt8], to peer: Peer) {}

  public func removeFiles() {}

  public func isOwn(_ peer: Peer) -> Bool { false }

  public func takeExpired() -> [Peer] { [] }

  public func takeResumed() -> [Peer] { [] }

  public func isConnected(_ peer: Peer) -> Bool { true }

  public func takeListening() -> [Peer] { [] }

  public func hangUp(_ peer: Peer) {}
}

/// The functions that a transport calls with each packet, on threads of its own.
public struct Reception: Sendable {
  /// Whether packets of a host are accepted; called before the packet is decoded.
  public var admits: @Sendable (HostAddress) -> Bool
  /// Called with the bytes of an accepted packet before they are decoded.
  public var peek: @Sendable (Span<UInt8>, Peer) -> Void
  /// Called with the decoded packet, or with the reason why it was dropped. A message that it returns goes to the sender at once.
  public var receive: @Sendable (Result<OSCPacket, OSCDecodeError>, Peer) -> OSCMessage?
  /// Called with a text that is no OSC. Its bytes may be no UTF-8.
  public var receiveText: @Sendable ([UInt8], Peer) -> Void
  /// Called when a client's connection has ended, or its own direction of it, or when the client reads again.
  public var leave: @Sendable () -> Void
  /// Takes a line for the log. It must not wait.
  public var tell: @Sendable (String) -> Void

  public init(
    admits: @escaping @Sendable (HostAddress) -> Bool, peek: @escaping @Sendable (Span<UInt8>, Peer) -> Void,
    receive: @escaping @Sendable (Result<OSCPacket, OSCDecodeError>, Peer) -> OSCMessage?,
    receiveText: @escaping @Sendable ([UInt8], Peer) -> Void = { _, _ in },
    leave: @escaping @Sendable () -> Void = {},
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.admits, self.peek, self.receive) = (admits, peek, receive)
    (self.receiveText, self.leave, self.tell) = (receiveText, leave, tell)
  }
}

/// Numbers of packets: `received` counts all, `dropped` those that could not be decoded, `refused` those of hosts without a permission,
/// `withheld` those that were not sent because their port refuses packets.
public struct ReceiverCounts: Equatable, Sendable {
  public var (received, dropped, refused, withheld) = (0, 0, 0, 0)

  public init() {}

  mutating func add(_ counters: ReceiverCounters) {
    received += counters.received
    dropped += counters.dropped
    refused += counters.refused
  }

  public static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.received += right.received
    sum.dropped += right.dropped
    sum.refused += right.refused
    sum.withheld += right.withheld
    return sum
  }
}
