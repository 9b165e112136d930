/// Decodes the bytes of a packet to messages. One malformed message makes the whole packet fail.
///
/// A decoder has no state; any thread may use it.
public struct PacketDecoder: Sendable {
  /// The limits of a packet.
  public let limits: PacketLimits

  /// Makes a decoder; the default limits are those of UDP.
  public init(limits: PacketLimits = .udp) {
    self.limits = limits
  }

  /// Decodes a whole packet.
  ///
  /// The bytes are not trusted. The decoder reads nothing beyond them, and its work is proportional to their number.
  /// - Throws: `OSCDecodeError` with the first reason found.
  public func decode(_ bytes: Span<UInt8>) throws(OSCDecodeError) -> OSCPacket {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.size else { throw .oversize }
    guard bytes.count.isMultiple(of: 4) else { throw .misaligned }
    var remaining = limits.messages
    return try packet(bytes, depth: 1, remaining: &remaining)
  }

  /// Decodes a whole packet from an array.
  /// - Throws: `OSCDecodeError` with the first reason found.
  public func decode(_ bytes: [UInt8]) throws(OSCDecodeError) -> OSCPacket {
    try decode(bytes.span)
  }

  private func packet(
    _ bytes: Span<UInt8>, depth: Int, remaining: inout Int
  ) throws(OSCDecodeError) -> OSCPacket {
    guard bytes[0] == UInt8(ascii: "#") else {
      guard remaining > 0 else { throw .tooManyMessages }
      remaining -= 1
      return .message(try message(bytes))
    }
    guard depth <= limits.depth else { throw .tooDeep }
    return .bundle(try bundle(bytes, depth: depth, remaining: &remaining))
  }

  private func bundle(
    _ bytes: Span<UInt8>, depth: Int, remaining: inout Int
  ) throws(OSCDecodeError) -> OSCBundle {
    guard bytes.count >= 16 else { throw .badBundle }
    // "#bundle" and its NUL, as two 32-bit words.
    guard bytes.bigEndian(at: 0) == 0x2362_756e, bytes.bigEndian(at: 4) == 0x646c_6500 else {
      throw .badBundle
    }
    let timetag = OSCTimetag(seconds: bytes.bigEndian(at: 8), fraction: bytes.bigEndian(at: 12))
    var elements: [OSCPacket] = []
    var offset = 16
    while offset < bytes.count {
      // Adds with 64 bits, so that a size of 0xFFFFFFFC does not overflow.
      let size = Int(bytes.bigEndian(at: offset))
      offset += 4
      guard size > 0, size.isMultiple(of: 4), size <= bytes.count - offset else {
        throw .badElementSize
      }
      let element = bytes.extracting(offset..<offset + size)
      elements.append(try packet(element, depth: depth + 1, remaining: &remaining))
      offset += size
    }
    return OSCBundle(timetag: timetag, elements)
  }

  private func message(_ bytes: Span<UInt8>) throws(OSCDecodeError) -> OSCMessage {
    let layout = try MessageLayout(bytes, argumentLimit: limits.arguments)
    let address = bytes.extracting(layout.address).withUnsafeBufferPointer {
      String(decoding: $0, as: UTF8.self)
    }
    let arguments =
      layout.isPlain
      ? LibloCalls.arguments(of: bytes, tags: layout.tags)
      : LibloCalls.arguments(of: layout.normalised(bytes).span, tags: layout.tags)
    guard let arguments else { throw .refusedByCodec }
    return OSCMessage(address, arguments)
  }
}
