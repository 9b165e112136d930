import Synchronization

/// A bound UDP socket over IPv4, closed when the last owner lets go of it.
///
/// Any thread may send; one thread receives.
public final class UDPSocket: Sendable {
  /// Where it is bound, the port as the system chose it.
  public let localAddress: PeerAddress

  /// The descriptor, for waiting.
  let descriptor: Int32

  private let ended = Atomic<Bool>(false)

  /// Binds a socket.
  ///
  /// - Parameters:
  ///   - host: An IPv4 address, `localhost`, or the name of an interface; `0.0.0.0` means every interface.
  ///   - port: The port; 0 takes any free one.
  /// - Throws: `SocketError`; `addressInUse` names who has the port where the system tells.
  public init(host: String = "127.0.0.1", port: UInt16) throws(SocketError) {
    let address = try Self.address(of: host, port: port)
    let descriptor = try SystemCalls.socket()
    do throws(SocketError) {
      try SystemCalls.bind(descriptor, to: address)
      localAddress = try SystemCalls.getsockname(descriptor)
    } catch {
      SystemCalls.close(descriptor)
      guard error.number == SocketError.addressInUse(address, holder: nil).number else { throw error }
      throw .addressInUse(address, holder: SocketHolder(of: address))
    }
    self.descriptor = descriptor
  }

  deinit { SystemCalls.close(descriptor) }

  /// Sends one datagram, or throws instead of waiting.
  /// - Throws: `SocketError`, for instance when the bytes do not fit into a datagram (65,507 bytes).
  public func send(_ bytes: [UInt8], to peer: PeerAddress) throws(SocketError) {
    try SystemCalls.sendto(descriptor, bytes, to: peer)
  }

  /// Waits for a datagram and takes it.
  ///
  /// The size is that of the datagram; what exceeds the buffer is lost. After `endReceiving` nothing is waited for.
  /// - Throws: `SocketError`
  func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: PeerAddress) {
    try SystemCalls.recvfrom(descriptor, into: buffer)
  }

  /// Ends the wait of whoever receives, now and for good; sending goes on.
  func endReceiving() {
    ended.store(true, ordering: .releasing)
    SystemCalls.shutdown(descriptor)
  }

  /// Whether nothing is received any more.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  private static func address(of host: String, port: UInt16) throws(SocketError) -> PeerAddress {
    if let address = PeerAddress(host: host, port: port) { return address }
    if host == "localhost" { return PeerAddress(host: PeerAddress.loopbackHost, port: port) }
    let interfaces = SystemCalls.getifaddrs()
    if let found = interfaces.first(where: { $0.name == host }) {
      return PeerAddress(host: found.host, port: port)
    }
    throw .unknownHost(
      host, interfaces: interfaces.map { "\($0.name) (\(PeerAddress(host: $0.host, port: 0).hostText))" })
  }
}
