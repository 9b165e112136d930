import ControlInterface
import Synchronization
import SystemCalls

/// A bound UDP socket over IPv4. It is closed when its last reference goes away.
///
/// Any thread may send; one thread receives.
public final class UDPSocket: Sendable {
  /// The address that the socket is bound to, with the port that the system chose.
  public let localAddress: PeerAddress

  /// The socket's descriptor.
  let descriptor: Int32

  private let ended = Atomic<Bool>(false)

  /// Binds a socket.
  ///
  /// - Parameters:
  ///   - host: an IPv4 address, `localhost`, or the name of an interface; `0.0.0.0` means every interface.
  ///   - port: 0 lets the system choose a free port.
  /// - Throws: `SocketError`. `addressInUse` names the program that has the port if the system shows it.
  public init(host: String = "127.0.0.1", port: UInt16) throws(SocketError) {
    let address = try Self.address(of: host, port: port)
    var descriptor: Int32 = -1
    do throws(SystemError) {
      descriptor = try System.socket(.ipv4, .datagram)
      try System.bind(descriptor, to: address.socketAddress)
      localAddress = PeerAddress(try System.getsockname(descriptor)) ?? address
    } catch {
      System.close(descriptor)
      guard error.number == .addressInUse else { throw SocketError(error, address) }
      throw .addressInUse(address, holder: SocketHolder(of: address))
    }
    self.descriptor = descriptor
  }

  deinit { System.close(descriptor) }

  /// Whether datagrams to an address arrive at this socket.
  func hasAddress(_ address: PeerAddress) -> Bool {
    guard address.port == localAddress.port else { return false }
    if localAddress.host != .any { return address.host == localAddress.host }
    return address.host.isLoopback
      || System.getifaddrs().contains { HostAddress($0.host) == address.host }
  }

  /// Sends one datagram without waiting.
  /// - Throws: `SocketError`, for instance if there are more bytes than a datagram holds (65,507), or if the call would have to wait.
  public func send(_ bytes: [UInt8], to peer: PeerAddress) throws(SocketError) {
    do throws(SystemError) {
      try System.sendto(descriptor, bytes, to: peer.socketAddress)
    } catch {
      throw SocketError(error, peer)
    }
  }

  /// Waits for a datagram and copies it into the buffer. Returns at once after `endReceiving`.
  ///
  /// - Returns: the size of the datagram and its sender. If the size exceeds that of the buffer, the system has cut the datagram.
  /// - Throws: `SocketError`.
  public func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: PeerAddress) {
    do throws(SystemError) {
      guard let (size, sender) = try System.recvfrom(descriptor, into: buffer, waits: true) else {
        throw SystemError("recvfrom", .again)
      }
      // There is no sender if `endReceiving` ended the wait.
      return (size, PeerAddress(sender) ?? PeerAddress(host: .any, port: 0))
    } catch {
      throw SocketError(error)
    }
  }

  /// Ends the wait of the thread that receives, and lets later calls of `receive` return at once. The socket can still send.
  public func endReceiving() {
    ended.store(true, ordering: .releasing)
    System.shutdown(descriptor, .reading)
  }

  /// Whether `endReceiving` was called.
  public var hasEnded: Bool { ended.load(ordering: .acquiring) }

  private static func address(of host: String, port: UInt16) throws(SocketError) -> PeerAddress {
    if let address = PeerAddress(host: host, port: port) { return address }
    if host == "localhost" { return PeerAddress(host: .loopback, port: port) }
    let interfaces = System.getifaddrs()
    if let found = interfaces.first(where: { $0.name == host }) {
      return PeerAddress(host: HostAddress(found.host), port: port)
    }
    throw .unknownHost(host, interfaces: interfaces.map { "\($0.name) (\(HostAddress($0.host)))" })
  }
}
