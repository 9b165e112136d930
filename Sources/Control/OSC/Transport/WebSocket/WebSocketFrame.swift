/// The frames that a server sends (RFC 6455, section 5.2): whole messages, without masks.
enum WebSocketFrame {
  /// The first byte of a frame: its kind, and that it is the last one of its message.
  enum Kind: UInt8 {
    case text = 0x81
    case binary = 0x82
  }

  /// Appends the frames of a packet: one for each of its messages, in order, unless it stays whole.
  static func append(_ packet: OSCPacket, to frames: inout [UInt8]) {
    switch packet {
    case .message(let message): append(PacketEncoder.encode(message)[...], .binary, to: &frames)
    case .encoded(let encoded): append(encoded.bytes[...], .binary, to: &frames)
    case .bundle(let bundle) where bundle.staysWhole:
      append(PacketEncoder.encode(packet)[...], .binary, to: &frames)
    case .bundle(let bundle): for element in bundle.elements { append(element, to: &frames) }
    }
  }

  static func append(_ bytes: ArraySlice<UInt8>, _ kind: Kind, to frames: inout [UInt8]) {
    frames.append(kind.rawValue)
    switch bytes.count {
    case ..<126: frames.append(UInt8(bytes.count))
    case ..<65_536: frames += [126, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
    default:
      frames.append(127)
      withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { frames += $0 }
    }
    frames += bytes
  }
}
