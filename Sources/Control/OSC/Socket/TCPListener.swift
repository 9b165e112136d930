public import ControlInterface
public import SystemCalls

/// A socket at which TCP connections arrive. It is closed when its last reference goes away.
public final class TCPListener: Sendable {
  /// The address that the socket is bound to, with the port that the system chose.
  public let localAddress: PeerAddress
  public let descriptor: Int32

  /// The endpoint of the address.
  public var endpoint: Endpoint { localAddress.tcpEndpoint }

  /// Number of connections that wait to be accepted.
  private static let backlog: Int32 = 128

  /// Binds a socket, which accepts connections from now on.
  ///
  /// - Parameters:
  ///   - host: an IP address, `localhost`, or the name of an interface; `0.0.0.0` means every interface over IPv4, `::` over IPv6.
  ///   - port: 0 lets the system choose a free port.
  /// - Throws: `SocketError`. `addressInUse` names the program that has the port if the system shows it.
  public init(host: String, port: UInt16) throws(SocketError) {
    let address = try PeerAddress(binding: host, port: port)
    var descriptor: Int32 = -1
    do throws(SystemError) {
      descriptor = try System.socket(address.family, .stream, blocks: false)
      try System.reuseAddress(descriptor)
      try System.bind(descriptor, to: address.socketAddress)
      try System.listen(descriptor, backlog: Self.backlog)
      localAddress = PeerAddress(try System.getsockname(descriptor)) ?? address
    } catch {
      System.close(descriptor)
      guard error.number == .addressInUse else { throw SocketError(error, address) }
      throw .addressInUse(address.tcpEndpoint, holder: SocketHolder(of: address, over: .tcp))
    }
    self.descriptor = descriptor
  }

  deinit { System.close(descriptor) }

  /// Accepts the next connection that waits; nil if none waits.
  /// - Throws: `SystemError`, for instance if this process has too many files open.
  public func accept() throws(SystemError) -> (descriptor: Int32, host: HostAddress)? {
    while true {
      let descriptor: Int32
      do throws(SystemError) {
        descriptor = try System.accept(self.descriptor, blocks: false)
      } catch {
        if error.number == .again { return nil }
        if error.number == .connectionAborted { continue }
        throw error
      }
      // The other end may have closed the connection already.
      guard let peer = System.getpeername(descriptor).flatMap(PeerAddress.init) else {
        System.close(descriptor)
        continue
      }
      return (descriptor, peer.host)
    }
  }
}
