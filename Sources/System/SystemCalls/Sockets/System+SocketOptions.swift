import Glibc

extension System {
  /// Sets the size of a socket's receive buffer, in bytes. The system may grant less (`net.core.rmem_max`).
  public static func setReceiveBuffer(_ descriptor: Int32, bytes: Int32) throws(SystemError) {
    try set(descriptor, SOL_SOCKET, SO_RCVBUF, bytes, "SO_RCVBUF")
  }

  /// The size of a socket's receive buffer, in bytes. Linux counts its own bookkeeping, and so doubles what was set.
  public static func receiveBuffer(_ descriptor: Int32) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try check("getsockopt", getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &value, &size), "SO_RCVBUF")
    return value
  }

  /// Lets a datagram socket report that datagrams could not be delivered (`IP_RECVERR`, ip(7); `IPV6_RECVERR`, ipv6(7)).
  ///
  /// From then on a call that sends or receives may fail because of an earlier datagram to any address. `refusedAddress` names that address.
  public static func reportRefusals(_ descriptor: Int32, _ family: SocketFamily) throws(SystemError) {
    if family == .ipv6 {
      try set(descriptor, Int32(IPPROTO_IPV6), IPV6_RECVERR, 1, "IPV6_RECVERR")
    } else {
      try set(descriptor, Int32(IPPROTO_IP), IP_RECVERR, 1, "IP_RECVERR")
    }
  }

  /// Lets an IPv6 socket receive over IPv6 alone (`IPV6_V6ONLY`, ipv6(7)). The same port then stays free for IPv4.
  static func receiveIPv6Alone(_ descriptor: Int32) throws(SystemError) {
    try set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1, "IPV6_V6ONLY")
  }

  /// Takes the next report about a datagram that could not be delivered, and returns the address that the datagram was sent to; nil if there
  /// is no report.
  public static func refusedAddress(_ descriptor: Int32) -> SocketAddress? {
    var control = [UInt8](repeating: 0, count: 256)
    let (size, address) = SocketAddress.filled { name, length in
      control.withUnsafeMutableBytes { control in
        var part = iovec()
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr(
            msg_name: name, msg_namelen: length.pointee, msg_iov: part, msg_iovlen: 1,
            msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
          let size = recvmsg(descriptor, &message, Int32(MSG_ERRQUEUE) | Int32(MSG_DONTWAIT))
          length.pointee = message.msg_namelen
          return size
        }
      }
    }
    return size >= 0 ? address : nil
  }

  /// Lets a listening socket take a port whose earlier connections are still ending.
  public static func reuseAddress(_ descriptor: Int32) throws(SystemError) {
    try set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR")
  }

  /// Sends each part of a TCP stream at once, instead of waiting for more.
  public static func sendAtOnce(_ descriptor: Int32) throws(SystemError) {
    try set(descriptor, tcp, TCP_NODELAY, 1, "TCP_NODELAY")
  }

  /// Sets the size of a socket's send buffer, in bytes. Linux doubles it for its own bookkeeping.
  public static func setSendBuffer(_ descriptor: Int32, bytes: Int32) throws(SystemError) {
    try set(descriptor, SOL_SOCKET, SO_SNDBUF, bytes, "SO_SNDBUF")
  }

  /// Limits the time of a call that sends or connects. Afterwards the call fails with `again`, and one that connects with `inProgress`.
  public static func setSendTimeout(_ descriptor: Int32, seconds: Int) throws(SystemError) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    try check("setsockopt", setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size), "SO_SNDTIMEO")
  }

  /// Lets the system find out that the other end of a TCP connection has vanished without closing it.
  ///
  /// - Parameters:
  ///   - idle: seconds of silence before the first question to the other end.
  ///   - interval: seconds between two questions.
  ///   - count: the questions without an answer after which the connection fails.
  public static func keepAlive(
    _ descriptor: Int32, idle: Int32, interval: Int32, count: Int32
  ) throws(SystemError) {
    try set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1, "SO_KEEPALIVE")
    try set(descriptor, tcp, TCP_KEEPIDLE, idle, "TCP_KEEPIDLE")
    try set(descriptor, tcp, TCP_KEEPINTVL, interval, "TCP_KEEPINTVL")
    try set(descriptor, tcp, TCP_KEEPCNT, count, "TCP_KEEPCNT")
    // Bytes that are not acknowledged keep the questions from being asked.
    let milliseconds = 1_000 * (idle + count * interval)
    try set(descriptor, tcp, TCP_USER_TIMEOUT, milliseconds, "TCP_USER_TIMEOUT")
  }

  private static let tcp = Int32(IPPROTO_TCP)

  private static func set(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32, _ name: String
  ) throws(SystemError) {
    var value = value
    let size = socklen_t(MemoryLayout<Int32>.size)
    try check("setsockopt", setsockopt(descriptor, level, option, &value, size), name)
  }
}
