/// How the packets of a TCP connection are told apart (docs/develop/law/osc.md#18-tcp). The first byte decides, once for the connection.
public enum Framing: Hashable, Sendable, CaseIterable {
  /// The length of the packet, as a big-endian int32, and then the packet: OSC 1.0.
  case length
  /// SLIP with a byte END before and after the packet: OSC 1.1 (RFC 1055).
  case slip

  /// Greatest size of a packet in bytes.
  public static let limit = 65_536

  /// The framing of a connection that begins with a byte; nil if it is none.
  public init?(firstByte: UInt8) {
    switch firstByte {
    // The most significant byte of a length within the limit is zero.
    case 0: self = .length
    // Some programs leave out the first END, and begin with the packet.
    case SLIP.end, UInt8(ascii: "/"), UInt8(ascii: "#"): self = .slip
    default: return nil
    }
  }

  /// The bytes that carry a packet.
  public func frame(_ packet: [UInt8]) -> [UInt8] {
    switch self {
    case .length:
      return withUnsafeBytes(of: UInt32(packet.count).bigEndian) { Array($0) } + packet
    case .slip:
      var bytes: [UInt8] = [SLIP.end]
      bytes.reserveCapacity(packet.count + packet.count / 16 + 2)
      for byte in packet {
        switch byte {
        case SLIP.end: bytes += [SLIP.escape, SLIP.escapedEnd]
        case SLIP.escape: bytes += [SLIP.escape, SLIP.escapedEscape]
        default: bytes.append(byte)
        }
      }
      bytes.append(SLIP.end)
      return bytes
    }
  }
}

/// The bytes with a meaning in SLIP.
enum SLIP {
  static let end: UInt8 = 0xC0
  static let escape: UInt8 = 0xDB
  static let escapedEnd: UInt8 = 0xDC
  static let escapedEscape: UInt8 = 0xDD
}
