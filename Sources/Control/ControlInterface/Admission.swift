public import Parameters

/// The hosts that may send commands, with their permissions, and the surfaces that get feedback without asking. A host that is not listed
/// has no permission (docs/develop/law/osc.md#14-rights).
public struct Admission: Equatable, Sendable {
  public var hosts: [HostRule]
  /// Passcodes, each with the permission that it gives to a listed host.
  public var passcodes: [String: Right]
  public var surfaces: [StaticSurface]

  public init(
    hosts: [HostRule] = [], passcodes: [String: Right] = [:], surfaces: [StaticSurface] = []
  ) {
    (self.hosts, self.passcodes, self.surfaces) = (hosts, passcodes, surfaces)
  }

  /// The permission of a host. This machine is admin; any other host has that of the smallest listed network that contains it.
  public func right(of host: HostAddress) -> Right {
    if host.isLoopback { return .admin }
    return hosts.filter { $0.network.contains(host) }.max { $1.network.isNarrower(than: $0.network) }?.right
      ?? .none
  }
}

/// The permission of an address or network, such as `192.168.1.0/24`.
public struct HostRule: Sendable, Equatable, CustomStringConvertible {
  public let network: HostNetwork
  public let right: Right

  public init(_ network: HostNetwork, right: Right) { (self.network, self.right) = (network, right) }

  /// Reads an address or a network; nil if the text is neither, or names an address within the network.
  public init?(_ text: String, right: Right) {
    guard let network = HostNetwork(text), network.stray == nil else { return nil }
    self.init(network, right: right)
  }

  /// The network and its permission, such as `192.168.1.0/24 control`.
  public var description: String { "\(network) \(right)" }
}
