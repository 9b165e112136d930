public import ControlInterface
import SystemCalls

/// An IP address and a port: the sender or the receiver of a packet.
public struct PeerAddress: Hashable, Sendable {
  public let host: HostAddress

  /// The port, in the processor's byte order.
  public let port: UInt16

  public init(host: HostAddress, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Reads an IP address; nil for any other text, also a host name.
  public init?(host text: some StringProtocol, port: UInt16) {
    guard let host = HostAddress(text) else { return nil }
    self.init(host: host, port: port)
  }

  /// The same host with another port.
  public func withPort(_ port: UInt16) -> PeerAddress { PeerAddress(host: host, port: port) }
}

extension PeerAddress {
  /// The address that a socket of this machine is bound to: an IP address, `localhost`, or the name of an interface. Of an interface with
  /// both, its IPv4 address.
  /// - Throws: `SocketError` unknownHost.
  init(binding host: String, port: UInt16) throws(SocketError) {
    if let address = PeerAddress(host: host, port: port) {
      self = address
      return
    }
    if host == "localhost" {
      self.init(host: .loopback, port: port)
      return
    }
    let interfaces = System.getifaddrs().map { (name: $0.name, address: HostAddress($0.address)) }
    guard let found = Self.preferred(interfaces.filter { $0.name == host }.compactMap(\.address)) else {
      throw .unknownHost(
        host, interfaces: interfaces.map { "\($0.name)" + ($0.address.map { " (\($0))" } ?? "") })
    }
    self.init(host: found, port: port)
  }

  /// The address of another program: an IP address, or a host name, whose look-up may take seconds. Of a host with both, its IPv4 address.
  /// - Throws: `SocketError` unknownHost.
  init(lookingUp host: String, port: UInt16) throws(SocketError) {
    guard
      let found = HostAddress(host) ?? Self.preferred(System.getaddrinfo(host).compactMap { HostAddress($0) })
    else {
      throw .unknownHost(host, interfaces: Set(System.getifaddrs().map(\.name)).sorted())
    }
    self.init(host: found, port: port)
  }

  /// The first IPv4 address, otherwise the first that is not link-local, otherwise the first.
  private static func preferred(_ hosts: [HostAddress]) -> HostAddress? {
    hosts.first(where: \.isIPv4) ?? hosts.first { !$0.isLinkLocal } ?? hosts.first
  }

  /// Converts an address of the system's calls; nil if it is no IP address.
  init?(_ address: SocketAddress) {
    switch address {
    // IPv6 sockets receive no IPv4, so a mapped address can only be a forged one.
    case .ipv6(let host, _, _) where HostAddress(ipv6: host).isIPv4: return nil
    case .ipv4(_, let port), .ipv6(_, _, let port):
      guard let host = HostAddress(address) else { return nil }
      self.init(host: host, port: port)
    case .unix, .abstract, .unnamed: return nil
    }
  }

  /// The address for the system's calls.
  var socketAddress: SocketAddress { host.socketAddress(port: port) }

  /// The family of sockets that reach the address.
  var family: System.SocketFamily { host.isIPv4 ? .ipv4 : .ipv6 }

  /// The UDP endpoint with this address.
  var endpoint: Endpoint { .udp(host: host.description, port: port) }

  /// The TCP endpoint with this address.
  var tcpEndpoint: Endpoint { .tcp(host: host.description, port: port) }
}

extension PeerAddress: CustomStringConvertible {
  /// `127.0.0.1:9000` or `[::1]:9000`
  public var description: String { host.description(port: port) }
}
