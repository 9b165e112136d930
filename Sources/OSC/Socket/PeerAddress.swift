/// An IPv4 address and a UDP port: where a packet came from or goes to.
public struct PeerAddress: Hashable, Sendable {
  /// The address, its first octet in the most significant byte.
  public let host: UInt32

  /// The port, in the processor's byte order.
  public let port: UInt16

  /// The address that only this machine reaches.
  public static let loopbackHost: UInt32 = 0x7f00_0001

  /// Takes an address as a number.
  public init(host: UInt32, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads four decimal octets, or returns nil; names are not looked up.
  public init?(host text: some StringProtocol, port: UInt16) {
    let octets = text.split(separator: ".", omittingEmptySubsequences: false)
    guard octets.count == 4 else { return nil }
    var host: UInt32 = 0
    for octet in octets {
      guard octet.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(octet) else {
        return nil
      }
      host = host << 8 | UInt32(value)
    }
    self.init(host: host, port: port)
  }

  /// The host as four decimal octets.
  public var hostText: String {
    "\(host >> 24).\(host >> 16 & 255).\(host >> 8 & 255).\(host & 255)"
  }

  /// Whether the host is this machine itself (127.0.0.0/8).
  public var isLoopback: Bool { host >> 24 == 127 }

  /// The same host with another port.
  public func withPort(_ port: UInt16) -> PeerAddress { PeerAddress(host: host, port: port) }
}

extension PeerAddress: CustomStringConvertible {
  /// `127.0.0.1:9000`
  public var description: String { "\(hostText):\(port)" }
}
