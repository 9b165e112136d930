import ControlInterface
import Synchronization
import SystemCalls

/// An OSC client for the command line and for tests: sends packets to one router over UDP, TCP or a Unix socket, and waits for answers.
public final class OSCClient: Sendable {
  /// The address of this client's socket, at which answers arrive. Nil for a Unix socket, whose name the system chooses.
  public let localAddress: PeerAddress?

  /// The router's endpoint. For UDP and TCP its host is an IP address, not a name.
  public let peer: Endpoint

  private let descriptor: Int32
  private let decoder = PacketDecoder(limits: .answer)
  /// The framing of a TCP connection; nil for datagrams.
  private let framing: Framing?
  /// The packets that have arrived over TCP and were not taken yet.
  private let stream = Mutex(ClientStream())

  /// Seconds until a connection is made, or until a router that reads nothing is given up.
  private static let patience = 5

  /// Connects the socket to a router's UDP port. Sends nothing.
  ///
  /// - Parameters:
  ///   - host: an IP address or a host name. The look-up of a name may take seconds.
  ///   - port: the router's port.
  /// - Throws: `SocketError`.
  public convenience init(host: String = "127.0.0.1", port: UInt16) throws(SocketError) {
    try self.init(.udp(host: host, port: port))
  }

  /// Connects the socket to a router. Sends nothing. The look-up of a host name may take seconds.
  ///
  /// - Parameter framing: of a TCP connection.
  /// - Throws: `SocketError`; for TCP and Unix sockets also if no program listens there.
  public init(_ endpoint: Endpoint, framing: Framing = .length) throws(SocketError) {
    let remote: SocketAddress
    var family = System.SocketFamily.unix
    switch endpoint {
    case .udp(let host, let port):
      let address = try PeerAddress(lookingUp: host, port: port)
      (remote, peer, family) = (address.socketAddress, address.endpoint, address.family)
    case .tcp(let host, let port):
      let address = try PeerAddress(lookingUp: host, port: port)
      (remote, peer, family) = (address.socketAddress, address.tcpEndpoint, address.family)
    case .unix(let path):
      (remote, peer) = (try UnixAddress(path: path).socketAddress, endpoint)
    }
    var descriptor: Int32 = -1
    do throws(SystemError) {
      if case .tcp = peer {
        descriptor = try System.socket(family, .stream)
        try System.sendAtOnce(descriptor)
        try System.setSendTimeout(descriptor, seconds: Self.patience)
      } else {
        descriptor = try System.socket(family, .datagram)
        // The system gives the socket a free name. A router cannot answer a socket without a name.
        if family == .unix { try System.bind(descriptor, to: .unnamed) }
      }
      // A connected socket receives datagrams from the router only, and the system reports an error if no program listens there.
      do throws(SystemError) { try System.connect(descriptor, to: remote) } catch {
        throw error.number == .inProgress ? SystemError("connect", .timedOut) : error
      }
      localAddress = PeerAddress(try System.getsockname(descriptor))
    } catch {
      System.close(descriptor)
      throw SocketError(error, at: peer)
    }
    self.descriptor = descriptor
    if case .tcp = peer { self.framing = framing } else { self.framing = nil }
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
    do throws(SystemError) {
      guard let framing else { return try System.sendto(descriptor, bytes) }
      try write(framing.frame(bytes))
    } catch { throw SocketError(error, at: peer) }
  }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty { rest = rest.dropFirst(try System.send(descriptor, rest, waits: true)) }
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
    if framing != nil { return try nextOfStream() }
    var bytes = [UInt8](repeating: 0, count: decoder.limits.size)
    while let size = try receive(into: &bytes) {
      // The system has cut a datagram that is larger than the buffer.
      guard size <= bytes.count else { continue }
      if let packet = try? decoder.decode(bytes.span.extracting(first: size)) { return packet }
    }
    return nil
  }

  /// Takes the next valid packet that has arrived over TCP; nil if there is none.
  private func nextOfStream() throws(SocketError) -> OSCPacket? {
    while true {
      if let packet = stream.withLock({ $0.take() }) { return packet }
      do throws(SystemError) {
        guard let bytes = try System.recv(descriptor, count: Framing.limit) else { return nil }
        guard !bytes.isEmpty, stream.withLock({ $0.read(bytes, decoder) }) else {
          throw SystemError("recv", .connectionReset)
        }
      } catch {
        guard error.number == .connectionReset, case .tcp(let host, let port) = peer,
          let address = PeerAddress(host: host, port: port)
        else { throw SocketError(error, at: peer) }
        throw .closed(address)
      }
    }
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
}

/// The packets that arrive in a TCP connection.
private struct ClientStream {
  private var reader = FrameReader()
  private var packets: [OSCPacket] = []
  private var first = 0

  /// Takes bytes that have arrived.
  ///
  /// - Returns: false if the packets cannot be told apart any more.
  mutating func read(_ bytes: [UInt8], _ decoder: PacketDecoder) -> Bool {
    do throws(FramingError) {
      try reader.read(bytes.span) { frame in
        if let packet = try? decoder.decode(frame) { packets.append(packet) }
      }
    } catch { return false }
    return true
  }

  mutating func take() -> OSCPacket? {
    guard first < packets.count else {
      (packets, first) = ([], 0)
      return nil
    }
    defer { first += 1 }
    return packets[first]
  }
}
