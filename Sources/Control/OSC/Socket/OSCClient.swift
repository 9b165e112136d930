import ControlInterface
import SystemCalls

/// An OSC client for the command line and for tests: sends packets to one router over UDP or a Unix socket, and waits for answers.
public final class OSCClient: Sendable {
  /// The address of this client's socket, at which answers arrive. Nil for a Unix socket, whose name the system chooses.
  public let localAddress: PeerAddress?

  /// The router's endpoint. For UDP its host is an IPv4 address, not a name.
  public let peer: Endpoint

  private let descriptor: Int32
  private let decoder = PacketDecoder(limits: .answer)

  /// Connects the socket to a router's UDP port. Sends nothing.
  ///
  /// - Parameters:
  ///   - host: an IPv4 address or a host name. The look-up of a name may take seconds.
  ///   - port: the router's port.
  /// - Throws: `SocketError`.
  public convenience init(host: String = "127.0.0.1", port: UInt16) throws(SocketError) {
    try self.init(.udp(host: host, port: port))
  }

  /// Connects the socket to a router. Sends nothing. The look-up of a host name may take seconds.
  /// - Throws: `SocketError`; for a Unix socket also if no program listens at the path.
  public init(_ endpoint: Endpoint) throws(SocketError) {
    let remote: SocketAddress
    switch endpoint {
    case .udp(let host, let port):
      let address = try Self.address(of: host, port: port)
      (remote, peer) = (address.socketAddress, address.endpoint)
    case .unix(let path):
      (remote, peer) = (try UnixAddress(path: path).socketAddress, endpoint)
    }
    var descriptor: Int32 = -1
    do throws(SystemError) {
      if case .ipv4 = remote {
        descriptor = try System.socket(.ipv4, .datagram)
      } else {
        descriptor = try System.socket(.unix, .datagram)
        // The system gives the socket a free name. A router cannot answer a socket without a name.
        try System.bind(descriptor, to: .unnamed)
      }
      // A connected socket receives datagrams from the router only, and the system reports an error if no program listens there.
      try System.connect(descriptor, to: remote)
      localAddress = PeerAddress(try System.getsockname(descriptor))
    } catch {
      System.close(descriptor)
      throw SocketError(error, at: peer)
    }
    self.descriptor = descriptor
  }

  deinit { System.close(descriptor) }

  /// Sends one message.
  /// - Throws: `SocketError`; its `isRefused` is true if no program listens. Over UDP only the next call throws this.
  public func send(_ message: OSCMessage) throws(SocketError) {
    try send(bytes: PacketEncoder.encode(message))
  }

  /// Sends one packet.
  /// - Throws: `SocketError`.
  public func send(_ packet: OSCPacket) throws(SocketError) {
    try send(bytes: PacketEncoder.encode(packet))
  }

  /// Sends bytes without a check whether they are a packet.
  /// - Throws: `SocketError`.
  public func send(bytes: [UInt8]) throws(SocketError) {
    do throws(SystemError) { try System.sendto(descriptor, bytes) } catch {
      throw SocketError(error, at: peer)
    }
  }

  /// Waits for the next packet; nil if none arrives in time. Skips datagrams that are not valid packets.
  /// - Throws: `SocketError`; its `isRefused` is true if no program listens at the router's endpoint.
  public func receive(timeout: Duration = .seconds(1)) throws(SocketError) -> OSCPacket? {
    let end = ContinuousClock.now + timeout
    while true {
      if let packet = try next() { return packet }
      let remaining = end - ContinuousClock.now
      guard remaining > .zero else { return nil }
      // Rounded up: a remaining part of a millisecond would become 0, and the loop would not wait.
      let milliseconds = Int32(clamping: Int64(remaining / .milliseconds(1)) + 1)
      do throws(SystemError) { _ = try System.poll(descriptor, milliseconds: milliseconds) } catch {
        throw SocketError(error, at: peer)
      }
    }
  }

  /// Takes the next valid packet that has arrived; nil if there is none.
  private func next() throws(SocketError) -> OSCPacket? {
    var bytes = [UInt8](repeating: 0, count: decoder.limits.size)
    while let size = try receive(into: &bytes) {
      // The system has cut a datagram that is larger than the buffer.
      guard size <= bytes.count else { continue }
      if let packet = try? decoder.decode(bytes.span.extracting(first: size)) { return packet }
    }
    return nil
  }

  /// Takes a datagram that has arrived and returns its size; nil if there is none.
  private func receive(into bytes: inout [UInt8]) throws(SocketError) -> Int? {
    let descriptor = descriptor
    do throws(SystemError) {
      return try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
        try System.recvfrom(descriptor, into: UnsafeMutableRawBufferPointer(buffer), waits: false)?.size
      }
    } catch {
      throw SocketError(error, at: peer)
    }
  }

  private static func address(of host: String, port: UInt16) throws(SocketError) -> PeerAddress {
    if let address = PeerAddress(host: host, port: port) { return address }
    guard let found = System.getaddrinfo(host) else {
      throw .unknownHost(host, interfaces: System.getifaddrs().map(\.name))
    }
    return PeerAddress(host: HostAddress(found), port: port)
  }
}
