import CLinux
import Glibc

extension System {
  public enum SocketFamily: Sendable { case ipv4, ipv6, unix }
  public enum SocketKind: Sendable { case stream, datagram }
  /// The direction of a connection that is shut down.
  public enum SocketHalf: Sendable { case reading, writing, both }

  /// Makes a socket. One for IPv6 receives no IPv4.
  ///
  /// - Parameter blocks: whether calls on it wait; otherwise they fail with `ErrorNumber.again`.
  public static func socket(
    _ family: SocketFamily, _ kind: SocketKind, blocks: Bool = true
  ) throws(SystemError) -> Int32 {
    let number =
      switch family {
      case .ipv4: AF_INET
      case .ipv6: AF_INET6
      case .unix: AF_UNIX
      }
    let descriptor = try check("socket", Glibc.socket(number, type(kind, blocks), 0))
    guard family == .ipv6 else { return descriptor }
    do throws(SystemError) { try receiveIPv6Alone(descriptor) } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Makes a pair of connected Unix sockets.
  ///
  /// - Parameter blocks: whether calls on them wait; otherwise they fail with `ErrorNumber.again`.
  public static func socketpair(
    _ kind: SocketKind = .stream, blocks: Bool = true
  ) throws(SystemError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try check("socketpair", Glibc.socketpair(AF_UNIX, type(kind, blocks), 0, &ends))
    return (ends[0], ends[1])
  }

  private static func type(_ kind: SocketKind, _ blocks: Bool) -> Int32 {
    let kind = Int32((kind == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
    return kind | Int32(SOCK_CLOEXEC.rawValue) | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue))
  }

  /// Makes a pipe: the first descriptor reads the bytes that are written to the second.
  public static func pipe(blocks: Bool = true) throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try check("pipe2", CLinux.pipe2(&ends, O_CLOEXEC | (blocks ? 0 : O_NONBLOCK)))
    return (ends[0], ends[1])
  }

  /// Gives a socket its address. A Unix socket's address becomes a file, which the caller has to remove.
  public static func bind(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    let result = try address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }
    try check("bind", result, "\(address)")
  }

  /// Connects a socket.
  public static func connect(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    let result = try address.withSystemAddress { Glibc.connect(descriptor, $0, $1) }
    try check("connect", result, "\(address)")
  }

  /// Makes a socket accept connections; at most `backlog` of them wait.
  public static func listen(_ descriptor: Int32, backlog: Int32 = 16) throws(SystemError) {
    try check("listen", Glibc.listen(descriptor, backlog))
  }

  /// Waits for the next connection and returns its descriptor.
  public static func accept(_ descriptor: Int32, blocks: Bool = true) throws(SystemError) -> Int32 {
    let flags = Int32(SOCK_CLOEXEC.rawValue) | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    return try retry("accept4") { CLinux.accept4(descriptor, nil, nil, flags) }
  }

  /// The address that a socket is bound to.
  public static func getsockname(_ descriptor: Int32) throws(SystemError) -> SocketAddress {
    let (result, address) = SocketAddress.filled { Glibc.getsockname(descriptor, $0, $1) }
    try check("getsockname", result)
    return address ?? .unnamed
  }

  /// The address that a socket is connected to; nil if it is not connected, not a socket, or of another
  /// family.
  public static func getpeername(_ descriptor: Int32) -> SocketAddress? {
    let (result, address) = SocketAddress.filled { Glibc.getpeername(descriptor, $0, $1) }
    return result == 0 ? address : nil
  }

  /// The process at the other end of a Unix socket; nil if unknown.
  public static func peerProcess(_ descriptor: Int32) -> Int32? {
    // `struct ucred`: process, user, group.
    var peer = [Int32](repeating: 0, count: 3)
    var size = socklen_t(3 * MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0, peer[0] > 0 else { return nil }
    return peer[0]
  }

  /// Receives a datagram with its sender; nil if none has arrived and the call does not wait.
  ///
  /// The returned size is that of the datagram, which may be larger than the buffer.
  ///
  /// - Parameter waits: whether to wait for a datagram.
  public static func recvfrom(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, waits: Bool
  ) throws(SystemError) -> (size: Int, sender: SocketAddress)? {
    let flags = Int32(MSG_TRUNC) | (waits ? 0 : Int32(MSG_DONTWAIT))
    while true {
      let (size, sender) = SocketAddress.filled {
        Glibc.recvfrom(descriptor, buffer.baseAddress, buffer.count, flags, $0, $1)
      }
      if size >= 0 { return (size, sender ?? .unnamed) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      case let number: throw SystemError("recvfrom", ErrorNumber(rawValue: number))
      }
    }
  }

  /// Reads at most `count` bytes from a connected socket without waiting. Returns no bytes at the end, and
  /// nil if nothing has arrived yet.
  public static func recv(_ descriptor: Int32, count: Int) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try bytes(count) { buffer throws(SystemError) in
        try retry("recv") {
          Glibc.recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
      }
    } catch {
      guard error.number == .again else { throw error }
      return nil
    }
  }

  /// Sends a datagram without waiting. Without an address, it goes to the connected peer.
  public static func sendto(
    _ descriptor: Int32, _ bytes: [UInt8], to address: SocketAddress? = nil
  ) throws(SystemError) {
    _ = try send(descriptor, bytes[...], to: address, waits: false)
  }

  /// Sends bytes and returns how many the system accepted. If the peer no longer reads, this throws and
  /// raises no signal.
  ///
  /// - Parameter waits: whether to wait for room.
  public static func send(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>, to address: SocketAddress? = nil, waits: Bool
  ) throws(SystemError) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
    while true {
      let size =
        if let address {
          try address.withSystemAddress { name, length in
            bytes.withUnsafeBytes {
              Glibc.sendto(descriptor, $0.baseAddress, $0.count, flags, name, length)
            }
          }
        } else {
          bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
        }
      if size >= 0 { return size }
      let number = errno
      if number != EINTR {
        throw SystemError("sendto", ErrorNumber(rawValue: number), address.map { "\($0)" })
      }
    }
  }

  /// Shuts down one direction of a connection. Threads that wait on it wake up. An unconnected socket is
  /// ignored.
  ///
  /// For a datagram socket without a peer, Linux reports that it is not connected but still wakes the waiting
  /// threads (`inet_shutdown`).
  public static func shutdown(_ descriptor: Int32, _ half: SocketHalf) {
    let how =
      switch half {
      case .reading: SHUT_RD
      case .writing: SHUT_WR
      case .both: SHUT_RDWR
      }
    _ = Glibc.shutdown(descriptor, Int32(how))
  }
}
