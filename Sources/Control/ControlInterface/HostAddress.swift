public import SystemCalls

/// The IP address of a machine. A client that uses no network has the address of this machine.
///
/// An IPv4 address is kept as IPv6 maps it, `::ffff:a.b.c.d` (RFC 4291, 2.5.5.2). So both forms are one host with one permission.
public struct HostAddress: Hashable, Sendable {
  /// The first octet is the most significant byte.
  public let number: UInt128

  /// The index of the interface at which a link-local address is; 0 if none is named, and for any other address.
  public let scope: UInt32

  /// An IPv4 address. The first octet is the most significant byte.
  public init(_ number: UInt32) { self.init(ipv6: Self.mapped << 32 | UInt128(number)) }

  /// An IPv6 address. The scope of one that is not link-local is ignored.
  public init(ipv6 number: UInt128, scope: UInt32 = 0) {
    self.number = number
    self.scope = number >> 118 == Self.linkLocal ? scope : 0
  }

  /// The bits before an IPv4 address.
  private static let mapped: UInt128 = 0xffff
  /// The first ten bits of link-local addresses, fe80::/10.
  private static let linkLocal: UInt128 = 0xfe80 >> 6

  /// The loopback address, 127.0.0.1.
  public static let loopback = HostAddress(0x7f00_0001)

  /// All IPv4 addresses of a machine at once, 0.0.0.0.
  public static let any = HostAddress(0)

  /// Reads four decimal octets, or an IPv6 address such as `fd00::1` or `fe80::1%eth0`; nil for any other text. Names are not looked up.
  public init?(_ text: some StringProtocol) {
    guard text.contains(":") else {
      guard let number = Self.octets(text) else { return nil }
      self.init(number)
      return
    }
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = System.inet_pton(String(parts[0])) else { return nil }
    self.init(ipv6: number)
    guard parts.count == 2 else { return }
    let scope = System.if_nametoindex(String(parts[1])) ?? UInt32(parts[1]) ?? 0
    guard isLinkLocal, scope != 0 else { return nil }
    self.init(ipv6: number, scope: scope)
  }

  private static func octets(_ text: some StringProtocol) -> UInt32? {
    let octets = text.split(separator: ".", omittingEmptySubsequences: false)
    guard octets.count == 4 else { return nil }
    var number: UInt32 = 0
    for octet in octets {
      guard octet.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(octet) else {
        return nil
      }
      number = number << 8 | UInt32(value)
    }
    return number
  }

  public var isIPv4: Bool { number >> 32 == Self.mapped }

  /// Whether the host is this machine itself: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool { isIPv4 ? number >> 24 & 0xff == 127 : number == 1 }

  /// Whether it stands for all addresses of a machine of its family: 0.0.0.0 or ::.
  public var isAny: Bool { self == .any || number == 0 }

  /// Whether the address is one of many networks at once, and only the interface tells which (fe80::/10).
  public var isLinkLocal: Bool { number >> 118 == Self.linkLocal }
}

extension HostAddress {
  /// The host of a socket's address; nil if that is no IP address.
  public init?(_ address: SocketAddress) {
    switch address {
    case .ipv4(let host, _): self.init(host)
    case .ipv6(let host, let scope, _): self.init(ipv6: host, scope: scope)
    case .unix, .abstract, .unnamed: return nil
    }
  }

  /// The address of a socket at a port of the host.
  public func socketAddress(port: UInt16) -> SocketAddress {
    isIPv4
      ? .ipv4(host: UInt32(truncatingIfNeeded: number), port: port)
      : .ipv6(host: number, scope: scope, port: port)
  }
}

extension HostAddress: CustomStringConvertible {
  /// Four decimal octets, or the text of RFC 5952, with the interface of a link-local address.
  public var description: String {
    guard !isIPv4 else {
      return [24, 16, 8, 0].map { "\(number >> $0 & 255)" }.joined(separator: ".")
    }
    let interface = scope == 0 ? "" : "%\(System.if_indextoname(scope) ?? "\(scope)")"
    return System.inet_ntop(number) + interface
  }

  /// The address and a port, such as `127.0.0.1:9440` or `[::1]:9440`.
  public func description(port: some BinaryInteger) -> String {
    isIPv4 ? "\(self):\(port)" : "[\(self)]:\(port)"
  }
}
