import ControlInterface
import Synchronization
import SystemCalls
import Threads

/// A bound UDP socket. It is closed when its last reference goes away.
///
/// Any thread may send; one thread receives.
public final class UDPSocket: Sendable {
  /// The address that the socket is bound to, with the port that the system chose.
  public let localAddress: PeerAddress

  /// The socket's descriptor.
  let descriptor: Int32

  private let ended = Atomic<Bool>(false)
  private let refused = Mutex(RefusedPorts())

  /// Size of the receive buffer in bytes: a second of a busy surface.
  private static let receiveBuffer: Int32 = 1 << 20

  /// Binds a socket.
  ///
  /// - Parameters:
  ///   - host: an IP address, `localhost`, or the name of an interface; `0.0.0.0` means every interface over IPv4, `::` over IPv6.
  ///   - port: 0 lets the system choose a free port.
  /// - Throws: `SocketError`. `addressInUse` names the program that has the port if the system shows it.
  public init(host: String = "127.0.0.1", port: UInt16) throws(SocketError) {
    let address = try PeerAddress(binding: host, port: port)
    var descriptor: Int32 = -1
    do throws(SystemError) {
      descriptor = try System.socket(address.family, .datagram)
      try System.setReceiveBuffer(descriptor, bytes: Self.receiveBuffer)
      try System.reportRefusals(descriptor, address.family)
      try System.bind(descriptor, to: address.socketAddress)
      localAddress = PeerAddress(try System.getsockname(descriptor)) ?? address
    } catch {
      System.close(descriptor)
      guard error.number == .addressInUse else { throw SocketError(error, address) }
      throw .addressInUse(address.endpoint, holder: SocketHolder(of: address, over: .udp))
    }
    self.descriptor = descriptor
  }

  deinit { System.close(descriptor) }

  /// Whether datagrams to an address arrive at this socket.
  func hasAddress(_ address: PeerAddress) -> Bool {
    guard address.port == localAddress.port else { return false }
    guard localAddress.host.isAny else { return address.host == localAddress.host }
    guard address.family == localAddress.family else { return false }
    return address.host.isLoopback
      || System.getifaddrs().contains { HostAddress($0.address) == address.host }
  }

  /// Sends one datagram without waiting. If the port has refused an earlier datagram, the socket sends only one a second.
  /// - Throws: `SocketError`, for instance if there are more bytes than a datagram holds (65,507), or if the call would have to wait.
  public func send(_ bytes: [UInt8], to peer: PeerAddress) throws(SocketError) {
    guard refused.withLock({ $0.maySend(peer, at: MonotonicTime.now) }) else { return }
    var tries = 0
    while true {
      do throws(SystemError) { return try System.sendto(descriptor, bytes, to: peer.socketAddress) } catch {
        tries += 1
        // The error may belong to an earlier datagram to any port, and then this one was not sent.
        guard noteRefusals() || Self.mayBelongToAnother(error), tries < Self.mostTries else {
          throw SocketError(error, peer)
        }
      }
    }
  }

  /// Tries to send a datagram, while ports refuse earlier ones.
  private static let mostTries = 16

  /// Whether an error may belong to an earlier datagram, although there is no report of a refusal: another thread may have taken it.
  private static func mayBelongToAnother(_ error: SystemError) -> Bool {
    [.connectionRefused, .hostUnreachable, .networkUnreachable].contains(error.number)
  }

  /// The number of datagrams that were not sent because their port refuses.
  var withheld: Int { refused.withLock(\.withheld) }

  /// Takes the addresses that have refused datagrams and accept them again.
  func takeResumed() -> [PeerAddress] { refused.withLock { $0.takeResumed() } }

  /// Takes the addresses that have refused all datagrams for 30 s, without a message from there.
  func takeExpired() -> [PeerAddress] { refused.withLock { $0.takeExpired(at: MonotonicTime.now) } }

  /// Reads which ports have refused datagrams.
  ///
  /// - Returns: whether there was a refusal.
  private func noteRefusals() -> Bool {
    var hasRefusal = false
    while let address = System.refusedAddress(descriptor) {
      hasRefusal = true
      guard let port = PeerAddress(address) else { continue }
      refused.withLock { $0.noteRefusal(port, at: MonotonicTime.now) }
    }
    return hasRefusal
  }

  /// Waits for a datagram and copies it into the buffer. Returns at once after `endReceiving`.
  ///
  /// - Returns: the size of the datagram and its sender. If the size exceeds that of the buffer, the system has cut the datagram.
  /// - Throws: `SocketError`.
  public func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: PeerAddress) {
    while true {
      do throws(SystemError) {
        guard let (size, sender) = try System.recvfrom(descriptor, into: buffer, waits: true) else {
          throw SystemError("recvfrom", .again)
        }
        // There is no sender if `endReceiving` ended the wait.
        let peer = PeerAddress(sender) ?? PeerAddress(host: .any, port: 0)
        refused.withLock { $0.noteMessage(peer) }
        return (size, peer)
      } catch {
        guard noteRefusals() || Self.mayBelongToAnother(error) else { throw SocketError(error) }
      }
    }
  }

  /// Ends the wait of the thread that receives, and lets later calls of `receive` return at once. The socket can still send.
  public func endReceiving() {
    ended.store(true, ordering: .releasing)
    System.shutdown(descriptor, .reading)
  }

  /// Whether `endReceiving` was called.
  public var hasEnded: Bool { ended.load(ordering: .acquiring) }
}
