/// The IPv4 address of a machine. A client that uses no network has the address of this machine.
public struct HostAddress: Hashable, Sendable {
  /// The first octet in the most significant byte.
  public let number: UInt32

  public init(_ number: UInt32) { self.number = number }

  /// The loopback address, 127.0.0.1.
  public static let loopback = HostAddress(0x7f00_0001)

  /// All addresses of a machine at once, 0.0.0.0.
  public static let any = HostAddress(0)

  /// Reads four decimal octets, or returns nil; names are not looked up.
  public init?(_ text: some StringProtocol) {
    let octets = text.split(separator: ".", omittingEmptySubsequences: false)
    guard octets.count == 4 else { return nil }
    var number: UInt32 = 0
    for octet in octets {
      guard octet.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(octet) else {
        return nil
      }
      number = number << 8 | UInt32(value)
    }
    self.init(number)
  }

  /// Whether the host is this machine itself (127.0.0.0/8).
  public var isLoopback: Bool { number >> 24 == 127 }
}

extension HostAddress: CustomStringConvertible {
  /// The address as four decimal octets.
  public var description: String {
    "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
  }
}
