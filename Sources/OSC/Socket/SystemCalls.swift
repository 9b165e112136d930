import CLiblo
import Glibc

/// Every call into the system's sockets, thin, each named after the C call; the error number is taken at once.
enum SystemCalls {
  /// Makes a UDP socket over IPv4 that no child process inherits.
  static func socket() throws(SocketError) -> Int32 {
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return try check("socket", Glibc.socket(AF_INET, type, 0))
  }

  static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  static func bind(_ descriptor: Int32, to address: PeerAddress) throws(SocketError) {
    _ = try check("bind", withSocketAddress(address) { Glibc.bind(descriptor, $0, $1) }, address)
  }

  static func connect(_ descriptor: Int32, to address: PeerAddress) throws(SocketError) {
    _ = try check("connect", withSocketAddress(address) { Glibc.connect(descriptor, $0, $1) }, address)
  }

  static func getsockname(_ descriptor: Int32) throws(SocketError) -> PeerAddress {
    var name = sockaddr_in()
    let result = withSocketAddress(&name) { Glibc.getsockname(descriptor, $0, $1) }
    _ = try check("getsockname", result)
    return PeerAddress(name)
  }

  /// Waits for a datagram and takes it.
  ///
  /// The size is that of the datagram, which may be larger than the buffer.
  static func recvfrom(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: PeerAddress) {
    while true {
      if let datagram = try recvfrom(descriptor, into: buffer, flags: 0) { return datagram }
    }
  }

  /// Takes one datagram without waiting; nil when none is there.
  static func recvfromNow(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: PeerAddress)? {
    try recvfrom(descriptor, into: buffer, flags: Int32(MSG_DONTWAIT))
  }

  private static func recvfrom(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, flags: Int32
  ) throws(SocketError) -> (size: Int, sender: PeerAddress)? {
    var sender = sockaddr_in()
    while true {
      let size = withSocketAddress(&sender) {
        Glibc.recvfrom(descriptor, buffer.baseAddress, buffer.count, flags | Int32(MSG_TRUNC), $0, $1)
      }
      if size >= 0 { return (size, PeerAddress(sender)) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      case let number: throw .system(call: "recvfrom", number: number, address: nil)
      }
    }
  }

  /// Has every wait for a datagram return at once, now and for good.
  ///
  /// A socket without a peer answers that it is not connected, and wakes up who waits all the same (Linux, `inet_shutdown`).
  static func shutdown(_ descriptor: Int32) { _ = Glibc.shutdown(descriptor, Int32(SHUT_RD)) }

  /// Sends one datagram without waiting; without an address it goes to where the socket is connected.
  static func sendto(
    _ descriptor: Int32, _ bytes: [UInt8], to address: PeerAddress?
  ) throws(SocketError) {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    while true {
      let size =
        if let address {
          withSocketAddress(address) { Glibc.sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
        } else {
          Glibc.send(descriptor, bytes, bytes.count, flags)
        }
      if size >= 0 { return }
      let number = errno
      guard number == EINTR else { throw .system(call: "sendto", number: number, address: address) }
    }
  }

  /// Waits until a descriptor can be read, or the time is over.
  static func poll(_ descriptor: Int32, milliseconds: Int32) throws(SocketError) {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&wanted, 1, milliseconds) < 0 else { return }
    let number = errno
    // A signal ends the wait early; the caller waits again.
    guard number == EINTR else { throw .system(call: "poll", number: number, address: nil) }
  }

  /// The names of this machine's interfaces with their IPv4 addresses.
  static func getifaddrs() -> [(name: String, host: UInt32)] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard Glibc.getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var result: [(name: String, host: UInt32)] = []
    for entry in sequence(first: first, next: { $0?.pointee.ifa_next }).prefix(while: { $0 != nil }) {
      guard let entry, let address = entry.pointee.ifa_addr, address.pointee.sa_family == AF_INET else {
        continue
      }
      let host = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
      result.append((String(cString: entry.pointee.ifa_name), PeerAddress(host).host))
    }
    return result
  }

  /// Looks a host name up, which may take seconds.
  static func getaddrinfo(_ name: String) -> UInt32? {
    var hints = addrinfo()
    hints.ai_family = AF_INET
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard Glibc.getaddrinfo(name, nil, &hints, &first) == 0 else { return nil }
    defer { freeaddrinfo(first) }
    guard let address = first?.pointee.ai_addr else { return nil }
    return PeerAddress(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)).host
  }

  private static func check(
    _ call: String, _ result: Int32, _ address: PeerAddress? = nil
  ) throws(SocketError) -> Int32 {
    let number = errno
    guard result >= 0 else { throw .system(call: call, number: number, address: address) }
    return result
  }

  private static func withSocketAddress<Result>(
    _ address: PeerAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = address.port.bigEndian
    name.sin_addr.s_addr = address.host.bigEndian
    return withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func withSocketAddress<Result>(
    _ name: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
  }
}

extension PeerAddress {
  /// Converts from the form that the system uses.
  init(_ name: sockaddr_in) {
    self.init(host: UInt32(bigEndian: name.sin_addr.s_addr), port: UInt16(bigEndian: name.sin_port))
  }
}
