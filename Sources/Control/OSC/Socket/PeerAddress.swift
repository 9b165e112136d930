public import ControlInterface
import SystemCalls

/// An IPv4 address and a port: the sender or the receiver of a packet.
public struct PeerAddress: Hashable, Sendable {
  public let host: HostAddress

  /// The port, in the processor's byte order.
  public let port: UInt16

  public init(host: HostAddress, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Reads four decimal octets; nil for any other text, also a host name.
  public init?(host text: some StringProtocol, port: UInt16) {
    guard let host = HostAddress(text) else { return nil }
    self.init(host: host, port: port)
  }

  /// The same host with another port.
  public func withPort(_ port: UInt16) -> PeerAddress { PeerAddress(host: host, port: port) }
}

extension PeerAddress {
  /// The address that a socket of this machine is bound to: an IPv4 address, `localhost`, or the name of an interface.
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
    let interfaces = System.getifaddrs()
    guard let found = interfaces.first(where: { $0.name == host }) else {
      throw .unknownHost(host, interfaces: interfaces.map { "\($0.name) (\(HostAddress($0.host)))" })
    }
    self.init(host: HostAddress(found.host), port: port)
  }

  /// Converts an address of the system's calls; nil if it is not IPv4.
  init?(_ address: SocketAddress) {
    guard case .ipv4(let host, let port) = address else { return nil }
    self.init(host: HostAddress(host), port: port)
  }

  /// The address for the system's calls.
  var socketAddress: SocketAddress { .ipv4(host: host.number, port: port) }

  /// The UDP endpoint with this address.
  var endpoint: Endpoint { .udp(host: host.description, port: port) }

  /// The TCP endpoint with this address.
  var tcpEndpoint: Endpoint { .tcp(host: host.description, port: port) }
}

extension PeerAddress: CustomStringConvertible {
  /// `127.0.0.1:9000`
  public var description: String { "\(host):\(port)" }
}
