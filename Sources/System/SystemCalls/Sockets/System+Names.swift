import Glibc

extension System {
  /// The name and IPv4 address of each of this machine's interfaces; the first octet is the most significant
  /// byte.
  public static func getifaddrs() -> [(name: String, host: UInt32)] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard Glibc.getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var result: [(name: String, host: UInt32)] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      if let host = host(entry.pointee.ifa_addr) {
        result.append((String(cString: entry.pointee.ifa_name), host))
      }
    }
    return result
  }

  /// The IPv4 address of a host name; nil if it has none. The look-up may take seconds.
  public static func getaddrinfo(_ name: String) -> UInt32? {
    var hints = addrinfo()
    hints.ai_family = AF_INET
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard Glibc.getaddrinfo(name, nil, &hints, &first) == 0 else { return nil }
    defer { freeaddrinfo(first) }
    return host(first?.pointee.ai_addr)
  }

  private static func host(_ address: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
    guard let address, Int32(address.pointee.sa_family) == AF_INET else { return nil }
    let bytes = UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in>.size)
    guard case .ipv4(let host, _)? = SocketAddress(bytes, size: bytes.count) else { return nil }
    return host
  }
}
