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

  /// Takes one datagram without waiting; nil when none is there.
  ///
  /// The size is that of the datagram, which may be larger than the buffer.
  static func recvfrom(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: PeerAddress)? {
    var sender = sockaddr_in()
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)
    while true {
      let size = withSocketAddress(&sender) {
        Glibc.recvfrom(descriptor, buffer.baseAddress, buffer.count, flags, $0, $1)
      }
      if size >= 0 { return (size, PeerAddress(sender)) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      case let number: throw .system(call: "recvfrom", number: number, address: nil)
      }
    }
  }

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

  /// Waits until one of two descriptors can be read, or the time is over; a negative time is without end.
  static func poll(
    _ first: Int32, _ second: Int32 = -1, milliseconds: Int32 = -1
  ) throws(SocketError) -> (first: Bool, second: Bool) {
    let events = Int16(POLLIN)
    var descriptors = (
      pollfd(fd: first, events: events, revents: 0), pollfd(fd: second, events: events, revents: 0)
    )
    let result = withUnsafeMutableBytes(of: &descriptors) {
      Glibc.poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds)
    }
    if result < 0 {
      let number = errno
      // A signal ends the wait early; the caller waits again.
      guard number == EINTR else { throw .system(call: "poll", number: number, address: nil) }
      return (false, false)
    }
    return (descriptors.0.revents != 0, descriptors.1.revents != 0)
  }

  /// Makes a descriptor by which one thread wakes another.
  static func eventfd() throws(SocketError) -> Int32 {
    try check("eventfd", CLiblo.eventfd(0, Int32(EFD_CLOEXEC)))
  }

  /// Makes an event descriptor readable.
  static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, MemoryLayout<UInt64>.size)
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
