import Glibc

extension System {
  /// The name of each of this machine's interfaces with each of its addresses; the port is 0.
  public static func getifaddrs() -> [(name: String, address: SocketAddress)] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard Glibc.getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var result: [(name: String, address: SocketAddress)] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      if let address = address(entry.pointee.ifa_addr) {
        result.append((String(cString: entry.pointee.ifa_name), address))
      }
    }
    return result
  }

  /// The addresses of a host name, with port 0; none if the name is unknown. The look-up may take seconds.
  public static func getaddrinfo(_ name: String) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard Glibc.getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var result: [SocketAddress] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ai_next
      if let address = address(entry.pointee.ai_addr) { result.append(address) }
    }
    return result
  }

  /// An IPv4 or IPv6 address in the system's format; nil for any other.
  private static func address(_ address: UnsafeMutablePointer<sockaddr>?) -> SocketAddress? {
    let size =
      switch address.map({ Int32($0.pointee.sa_family) }) {
      case AF_INET: MemoryLayout<sockaddr_in>.size
      case AF_INET6: MemoryLayout<sockaddr_in6>.size
      default: 0
      }
    guard size > 0 else { return nil }
    return SocketAddress(UnsafeRawBufferPointer(start: address, count: size), size: size)
  }

  /// Reads an IPv6 address without an interface (RFC 4291, 2.2); nil for any other text. The first octet becomes the most significant byte.
  public static func inet_pton(_ text: String) -> UInt128? {
    var address = in6_addr()
    return Glibc.inet_pton(AF_INET6, text, &address) == 1 ? UInt128(address) : nil
  }

  /// The text of an IPv6 address (RFC 5952).
  public static func inet_ntop(_ number: UInt128) -> String {
    var address = in6_addr(number)
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = Glibc.inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The index of an interface, from 1; nil if this machine has none of the name.
  public static func if_nametoindex(_ name: String) -> UInt32? {
    let index = Glibc.if_nametoindex(name)
    return index == 0 ? nil : index
  }

  /// The name of an interface; nil if this machine has none of the index.
  public static func if_indextoname(_ index: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard Glibc.if_indextoname(index, &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
