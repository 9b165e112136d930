/// An IPv4 network such as `192.168.1.0/24`, or a single address.
public struct HostNetwork: Hashable, Sendable, CustomStringConvertible {
  /// The first address of the network.
  public let first: HostAddress
  /// The number of leading bits that all addresses of the network share, 0 to 32.
  public let bits: Int
  /// The address as written, if it is not the first of the network, such as 192.168.1.20 of `192.168.1.20/24`.
  public let stray: HostAddress?

  /// Reads `a.b.c.d` or `a.b.c.d/bits`; nil if the text has neither form.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let address = HostAddress(parts[0]), parts.count <= 2 else { return nil }
    var bits = 32
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...32).contains(number) else { return nil }
      bits = number
    }
    self.bits = bits
    first = HostAddress(address.number & Self.mask(bits))
    stray = first == address ? nil : address
  }

  private static func mask(_ bits: Int) -> UInt32 { bits == 0 ? 0 : UInt32.max << (32 - UInt32(bits)) }

  /// Whether an address belongs to the network.
  public func contains(_ host: HostAddress) -> Bool { host.number & Self.mask(bits) == first.number }

  /// Whether the network contains another one, or is the same.
  public func contains(_ other: HostNetwork) -> Bool { bits <= other.bits && contains(other.first) }

  public static func == (left: Self, right: Self) -> Bool {
    left.first == right.first && left.bits == right.bits
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(bits)
  }

  /// The network, such as `192.168.1.0/24`; a single address has no `/32`.
  public var description: String { bits == 32 ? "\(first)" : "\(first)/\(bits)" }
}
