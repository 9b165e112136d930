/// Encodes messages and bundles to the bytes of packets. Any thread may use it.
public enum PacketEncoder {
  /// Bytes of a bundle before its first element: `#bundle` and the timetag.
  private static let bundleHeader = 16

  /// Encodes a packet.
  ///
  /// A text ends at its first NUL, because OSC ends strings with NUL.
  public static func encode(_ packet: OSCPacket) -> [UInt8] {
    switch packet {
    case .message(let message): encode(message)
    case .bundle(let bundle): encode(bundle)
    case .encoded(let encoded): encoded.bytes
    }
  }

  /// Encodes a message as a packet of its own.
  public static func encode(_ message: OSCMessage) -> [UInt8] {
    LibloCalls.bytes(of: message)
  }

  /// Encodes a bundle with all its elements.
  public static func encode(_ bundle: OSCBundle) -> [UInt8] {
    var bytes = header(bundle.timetag)
    for element in bundle.elements { append(encode(element), to: &bytes) }
    return bytes
  }

  /// Packs messages in order into as few bundles of at most `limit` bytes as possible.
  ///
  /// A message that is larger than the limit gets a bundle of its own, because a message cannot be split.
  public static func bundles(
    of messages: some Sequence<OSCMessage>, timetag: OSCTimetag = .immediately, limit: Int = 1_200
  ) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var current = header(timetag)
    for message in messages {
      let element = encode(message)
      if current.count > bundleHeader, current.count + 4 + element.count > limit {
        packets.append(current)
        current = header(timetag)
      }
      append(element, to: &current)
    }
    if current.count > bundleHeader { packets.append(current) }
    return packets
  }

  private static func header(_ timetag: OSCTimetag) -> [UInt8] {
    var bytes = Array("#bundle\0".utf8)
    append(timetag.seconds, to: &bytes)
    append(timetag.fraction, to: &bytes)
    return bytes
  }

  private static func append(_ element: [UInt8], to bytes: inout [UInt8]) {
    append(UInt32(element.count), to: &bytes)
    bytes += element
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
