public import Parameters

/// The hosts that may send commands, with their permissions. A host that is not listed has none (docs/law/osc.md#14-rights).
public struct Admission: Equatable, Sendable {
  public var hosts: [HostRule]
  /// Passcodes, each with the permission that it gives to a listed host.
  public var passcodes: [String: Right]

  public init(hosts: [HostRule] = [], passcodes: [String: Right] = [:]) {
    (self.hosts, self.passcodes) = (hosts, passcodes)
  }

  /// The permission of a host. This machine is admin; any other host has that of the smallest listed network that contains it.
  public func right(of host: HostAddress) -> Right {
    if host.isLoopback { return .admin }
    return hosts.filter { $0.contains(host) }.max { $0.mask < $1.mask }?.right ?? .none
  }
}

/// The permission of an address or network, such as `192.168.1.0/24`.
public struct HostRule: Sendable, Equatable, CustomStringConvertible {
  let network: UInt32
  let mask: UInt32
  let right: Right

  /// Reads `a.b.c.d` or `a.b.c.d/bits`; nil if the text has neither form.
  public init?(_ text: String, right: Right) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let address = HostAddress(parts[0]), parts.count <= 2 else { return nil }
    var bits = 32
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...32).contains(number) else { return nil }
      bits = number
    }
    mask = bits == 0 ? 0 : UInt32.max << (32 - UInt32(bits))
    network = address.number & mask
    self.right = right
  }

  /// The network and its permission, such as `192.168.1.0/24 control`.
  public var description: String {
    let text = HostAddress(network)
    let bits = mask.nonzeroBitCount
    return "\(text)\(bits == 32 ? "" : "/\(bits)") \(right)"
  }

  func contains(_ host: HostAddress) -> Bool { host.number & mask == network }
}
