/// The sockets at which a router receives. A further transport adds a line to each member.
public struct Listeners: Sendable {
  private var udp: [UDPSocket] = []
  private var tcp: [TCPListener] = []
  private var unix: [UnixSocket] = []

  public init() {}

  /// Binds a socket. It receives only after the start of its transport.
  /// - Throws: `SocketError`. If the port or path is in use, the error names the program that has it if the system shows it.
  public mutating func open(_ endpoint: Endpoint) throws(SocketError) {
    switch endpoint {
    case .udp(let host, let port): udp.append(try UDPSocket(host: host, port: port))
    case .tcp(let host, let port): tcp.append(try TCPListener(host: host, port: port))
    case .unix(let path): unix.append(try UnixSocket(path: path))
    }
  }

  /// One transport for all UDP sockets, then one for TCP, then one for all Unix sockets, as far as there are any.
  public var transports: [any OSCTransport] {
    (udp.isEmpty ? [] : [UDPTransport(udp)]) + (tcp.isEmpty ? [] : [TCPTransport(tcp)])
      + (unix.isEmpty ? [] : [UnixTransport(unix)])
  }
}
