/// A simple client that sends and waits for answers, for the command line and for tests.
public final class OSCClient: Sendable {
  /// Where this client is bound; answers arrive here.
  public let localAddress: PeerAddress

  /// Whom it talks to.
  public let peer: PeerAddress

  private let descriptor: Int32
  private let decoder = PacketDecoder(limits: .answer)

  /// Connects to a server; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - host: An IPv4 address or a host name; looking a name up may take seconds.
  ///   - port: The server's port.
  /// - Throws: `SocketError`
  public init(host: String = "127.0.0.1", port: UInt16) throws(SocketError) {
    let peer = try Self.address(of: host, port: port)
    let descriptor = try SystemCalls.socket()
    do throws(SocketError) {
      // Connected, the socket takes datagrams from the peer alone and is told when nobody listens there.
      try SystemCalls.connect(descriptor, to: peer)
      localAddress = try SystemCalls.getsockname(descriptor)
    } catch {
      SystemCalls.close(descriptor)
      throw error
    }
    self.peer = peer
    self.descriptor = descriptor
  }

  deinit { SystemCalls.close(descriptor) }

  /// Sends one message.
  /// - Throws: `SocketError`; `isRefused` when nobody listens, which shows only after an earlier message.
  public func send(_ message: OSCMessage) throws(SocketError) {
    try send(bytes: PacketEncoder.encode(message))
  }

  /// Sends one packet.
  /// - Throws: `SocketError`
  public func send(_ packet: OSCPacket) throws(SocketError) {
    try send(bytes: PacketEncoder.encode(packet))
  }

  /// Sends bytes as they are, which need not be a packet.
  /// - Throws: `SocketError`
  public func send(bytes: [UInt8]) throws(SocketError) {
    do throws(SocketError) {
      try SystemCalls.sendto(descriptor, bytes, to: nil)
    } catch {
      throw named(error)
    }
  }

  /// Waits for the next packet, and returns nil when the time is over; what does not parse is skipped.
  /// - Throws: `SocketError`; `isRefused` when nobody listens at the peer.
  public func receive(timeout: Duration = .seconds(1)) throws(SocketError) -> OSCPacket? {
    let end = ContinuousClock.now + timeout
    while true {
      if let packet = try next() { return packet }
      let remaining = end - ContinuousClock.now
      guard remaining > .zero else { return nil }
      // Rounded up, or the last millisecond would be spent spinning.
      let milliseconds = Int32(clamping: Int64(remaining / .milliseconds(1)) + 1)
      try SystemCalls.poll(descriptor, milliseconds: milliseconds)
    }
  }

  /// The next packet that is there already and parses.
  private func next() throws(SocketError) -> OSCPacket? {
    var bytes = [UInt8](repeating: 0, count: decoder.limits.size)
    while true {
      let received = try receive(into: &bytes)
      guard let size = received?.size else { return nil }
      if let packet = try? decoder.decode(bytes.span.extracting(first: size)) { return packet }
    }
  }

  private func receive(into bytes: inout [UInt8]) throws(SocketError) -> (size: Int, sender: PeerAddress)? {
    let descriptor = descriptor
    do throws(SocketError) {
      return try bytes.withUnsafeMutableBufferPointer { (buffer) throws(SocketError) in
        try SystemCalls.recvfromNow(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      throw named(error)
    }
  }

  /// The error with the peer's address in it, which the call itself was not given.
  private func named(_ error: SocketError) -> SocketError {
    guard case .system(let call, let number, nil) = error else { return error }
    return .system(call: call, number: number, address: peer)
  }

  private static func address(of host: String, port: UInt16) throws(SocketError) -> PeerAddress {
    if let address = PeerAddress(host: host, port: port) { return address }
    guard let found = SystemCalls.getaddrinfo(host) else {
      throw .unknownHost(host, interfaces: SystemCalls.getifaddrs().map(\.name))
    }
    return PeerAddress(host: found, port: port)
  }
}
