/// Turns messages and bundles into the bytes of packets; may be used on any thread.
public enum PacketEncoder {
  /// The bytes of a bundle before its first element: name and timetag.
  private static let bundleHeader = 16

  /// Encodes a packet.
  ///
  /// A text ends at its first NUL, as the wire has no other way to end it.
  public static func encode(_ packet: OSCPacket) -> [UInt8] {
    switch packet {
    case .message(let message): encode(message)
    case .bundle(let bundle): encode(bundle)
    }
  }

  /// Encodes a message that stands alone.
  public static func encode(_ message: OSCMessage) -> [UInt8] {
    LibloCalls.bytes(of: message)
  }

  /// Encodes a bundle and everything in it.
  public static func encode(_ bundle: OSCBundle) -> [UInt8] {
    var bytes = header(bundle.timetag)
    for element in bundle.elements { append(encode(element), to: &bytes) }
    return bytes
  }

  /// Splits messages into as few bundles as keep their order and stay within `limit` bytes each.
  ///
  /// A message that alone exceeds the limit gets a bundle of its own, since half a message is of no use.
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
