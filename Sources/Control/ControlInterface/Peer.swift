/// The identity of a client of the router.
///
/// Only the transport knows how packets reach the client. All other code compares peers, prints them, or reads their hosts.
public struct Peer: Hashable, Sendable {
  public let transport: Transport
  /// The client's machine. Permissions, passcodes and limits apply to hosts.
  public let host: HostAddress
  /// Distinguishes clients of one host: the port, or a number chosen by a transport without ports.
  public let endpoint: UInt32

  public init(transport: Transport, host: HostAddress, endpoint: UInt32) {
    (self.transport, self.host, self.endpoint) = (transport, host, endpoint)
  }

  /// Whether the answers to one packet are limited: on the network, where the address of a datagram's sender may be forged, and in a
  /// connection, which keeps them until the client reads them.
  public var hasBoundedAnswers: Bool { !host.isLoopback || transport.isStream }

  /// The client's port; 0 if its transport has no ports.
  public var port: UInt16 { transport.hasPorts ? UInt16(truncatingIfNeeded: endpoint) : 0 }

  /// The peer at another port of the same host; the same peer if the transport has no ports.
  public func withPort(_ port: UInt16) -> Peer {
    transport.hasPorts ? Peer(transport: transport, host: host, endpoint: UInt32(port)) : self
  }
}

extension Peer: CustomStringConvertible {
  /// The peer in words, such as `192.168.1.20:9000`, `[fd00::20]:9000`, `unix client 3` or `tcp client 3 at 192.168.1.20`.
  public var description: String {
    if transport.hasPorts { return host.description(port: endpoint) }
    return "\(transport.name) client \(endpoint)" + (transport.isStream ? " at \(host)" : "")
  }
}

/// A way by which clients reach the router, such as UDP. Each transport declares its own value beside its code.
public struct Transport: Hashable, Sendable {
  /// The transport's name, one word.
  public let name: String
  /// Whether a client may request answers at another port of its host.
  public let hasPorts: Bool
  /// Whether each client has a connection of its own, which keeps what the client has not read yet.
  public let isStream: Bool

  public init(_ name: String, hasPorts: Bool, isStream: Bool = false) {
    (self.name, self.hasPorts, self.isStream) = (name, hasPorts, isStream)
  }
}
