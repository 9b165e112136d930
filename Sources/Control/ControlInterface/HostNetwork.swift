import SystemCalls

/// A network such as `192.168.1.0/24` or `fd00::/8`, or a single address.
public struct HostNetwork: Hashable, Sendable, CustomStringConvertible {
  /// The first address of the network.
  public let first: HostAddress
  /// The number of leading bits of `HostAddress.number` that all addresses of the network share, 0 to 128. An IPv4 network is written with 96
  /// fewer.
  public let bits: Int
  /// The name of the interface at which a link-local network is; nil for every interface. It may be one that comes later.
  public let interface: String?
  /// The address as written, if it is not the first of the network, such as 192.168.1.20 of `192.168.1.20/24`.
  public let stray: String?

  /// Reads an address, or `ADDRESS/BITS`; nil if the text has neither form.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let place = parts[0].split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = HostAddress(place[0]) else { return nil }
    interface = place.count == 2 ? String(place[1]) : nil
    if let interface { guard address.isLinkLocal, !interface.isEmpty else { return nil } }
    let hidden = place[0].contains(":") ? 0 : Self.mappedBits
    var bits = 128
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...128 - hidden).contains(number) else { return nil }
      bits = hidden + number
    }
    self.bits = bits
    first = HostAddress(ipv6: address.number & Self.mask(bits))
    stray = first == address ? nil : String(parts[0])
  }

  /// The bits before an IPv4 address.
  private static let mappedBits = 96

  private static func mask(_ bits: Int) -> UInt128 {
    bits == 0 ? 0 : UInt128.max << (128 - UInt128(bits))
  }

  /// Whether an address belongs to the network. An IPv6 network contains no IPv4 address.
  public func contains(_ host: HostAddress) -> Bool {
    guard covers(host) else { return false }
    guard let interface else { return true }
    return host.scope != 0 && host.scope == System.if_nametoindex(interface)
  }

  private func covers(_ host: HostAddress) -> Bool {
    host.number & Self.mask(bits) == first.number && host.isIPv4 == first.isIPv4
  }

  /// Whether the network contains another one, or is the same.
  public func contains(_ other: HostNetwork) -> Bool {
    bits <= other.bits && covers(other.first) && (interface == nil || interface == other.interface)
  }

  /// Whether the network counts before another one that has the same address.
  public func isNarrower(than other: HostNetwork) -> Bool {
    bits == other.bits ? interface != nil && other.interface == nil : bits > other.bits
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.first == right.first && left.bits == right.bits && left.interface == right.interface
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(bits)
    hasher.combine(interface)
  }

  /// The network, such as `192.168.1.0/24` or `fe80::%eth0/10`; a single address has no `/32` or `/128`.
  public var description: String {
    let place = "\(first)" + (interface.map { "%\($0)" } ?? "")
    return bits == 128 ? place : "\(place)/\(first.isIPv4 ? bits - Self.mappedBits : bits)"
  }
}
