import ControlInterface

/// An address at which a router receives OSC, as an operator writes it: a host with a UDP or TCP port, or a path in the file system.
public enum Endpoint: Hashable, Sendable {
  /// A UDP port. The host may be a name; the socket looks it up.
  case udp(host: String, port: UInt16)
  /// A TCP port.
  case tcp(host: String, port: UInt16)
  /// A datagram socket in the file system, which programs of this machine reach.
  case unix(path: String)

  /// Reads `HOST:PORT`, `tcp:HOST:PORT` or `unix:PATH`, or returns nil. An IPv6 address stands in brackets, such as `[::1]:9440`.
  public init?(_ text: String) {
    if text.hasPrefix(Self.unixPrefix) {
      let path = text.dropFirst(Self.unixPrefix.count)
      guard !path.isEmpty, !path.contains("\0") else { return nil }
      self = .unix(path: String(path))
      return
    }
    let isTCP = text.hasPrefix(Self.tcpPrefix)
    let place = text.dropFirst(isTCP ? Self.tcpPrefix.count : 0)
    guard let colon = place.lastIndex(of: ":"), let host = Self.host(place[..<colon]) else { return nil }
    let digits = place[colon...].dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    self = isTCP ? .tcp(host: host, port: port) : .udp(host: host, port: port)
  }

  /// Reads a name, an IPv4 address, or an IPv6 address in brackets.
  private static func host(_ text: Substring) -> String? {
    guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return nil }
    guard text.hasPrefix("[") else { return text.contains(":") ? nil : String(text) }
    let inner = text.dropFirst().dropLast()
    // This machine may lack the interface behind `%`, which the socket then says.
    guard text.hasSuffix("]"), inner.contains(":"), HostAddress(inner.prefix { $0 != "%" }) != nil else {
      return nil
    }
    return String(inner)
  }

  /// The text before the host of a TCP port.
  public static let tcpPrefix = "tcp:"

  /// The text before the path of a Unix socket.
  public static let unixPrefix = "unix:"

  /// The endpoint of a router by default.
  public static let standard = Endpoint.udp(host: "127.0.0.1", port: 9_440)

  /// Whether only this machine reaches the endpoint: a Unix socket, or a numeric loopback address.
  public var isLocal: Bool {
    switch self {
    case .udp(let host, _), .tcp(let host, _): HostAddress(host)?.isLoopback ?? false
    case .unix: true
    }
  }
}

extension Endpoint: CustomStringConvertible {
  /// `127.0.0.1:9440`, `[::1]:9440`, `tcp:127.0.0.1:9440`, or `unix:/run/multiroute/multiroute.osc`.
  public var description: String {
    switch self {
    case .udp(let host, let port): "\(Self.bracketed(host)):\(port)"
    case .tcp(let host, let port): "\(Self.tcpPrefix)\(Self.bracketed(host)):\(port)"
    case .unix(let path): "\(Self.unixPrefix)\(path)"
    }
  }
  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
