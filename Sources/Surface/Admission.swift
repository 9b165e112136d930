public import OSC
public import Parameters

/// Who may speak to the router; what is not listed has no right at all (osc contract, section 5).
public struct Admission: Sendable {
  public var hosts: [HostRule]
  /// Passcodes and the right that each gives to a host that has some right already.
  public var passcodes: [String: Right]

  public init(hosts: [HostRule] = [], passcodes: [String: Right] = [:]) {
    (self.hosts, self.passcodes) = (hosts, passcodes)
  }

  /// Loopback is admin; other hosts have what the configuration says of them, or else of the smallest network they are in.
  public func right(of peer: PeerAddress) -> Right {
    if peer.isLoopback { return .admin }
    return hosts.filter { $0.contains(peer.host) }.max { $0.mask < $1.mask }?.right ?? .none
  }
}

/// The right of an address or network, such as `192.168.1.0/24`.
public struct HostRule: Sendable, Equatable, CustomStringConvertible {
  let network: UInt32
  let mask: UInt32
  let right: Right

  /// Reads `a.b.c.d` or `a.b.c.d/bits`; nil for anything else.
  public init?(_ text: String, right: Right) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let address = PeerAddress(host: parts[0], port: 0), parts.count <= 2 else { return nil }
    var bits = 32
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...32).contains(number) else { return nil }
      bits = number
    }
    mask = bits == 0 ? 0 : UInt32.max << (32 - UInt32(bits))
    network = address.host & mask
    self.right = right
  }

  /// `192.168.1.0/24 control`.
  public var description: String {
    let text = PeerAddress(host: network, port: 0).hostText
    let bits = mask.nonzeroBitCount
    return "\(text)\(bits == 32 ? "" : "/\(bits)") \(right)"
  }

  func contains(_ host: UInt32) -> Bool { host & mask == network }
}
