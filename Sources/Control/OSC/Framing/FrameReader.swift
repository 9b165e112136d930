/// Takes the packets out of the bytes of a TCP connection, however the bytes are split.
///
/// It keeps at most one packet, of at most `Framing.limit` bytes.
public struct FrameReader: Sendable {
  /// The framing, which the first byte decides; nil before.
  public private(set) var framing: Framing?
  /// The number of packets that were dropped because of a wrong escape.
  public private(set) var spoiled = 0
  /// The bytes of the packet so far.
  private var packet: [UInt8] = []
  /// The number of bytes of the length that have arrived, and their value.
  private var (lengthBytes, length) = (0, UInt32(0))
  /// Whether the last byte was an escape.
  private var isEscaped = false
  /// Whether the present packet has a wrong escape.
  private var isSpoiled = false

  public init() {}

  /// Takes bytes that have arrived.
  ///
  /// - Parameter take: called with each packet that is complete now, in order.
  /// - Throws: `FramingError`. No further bytes may follow.
  public mutating func read(
    _ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> Void
  ) throws(FramingError) {
    guard !bytes.isEmpty else { return }
    if framing == nil {
      framing = Framing(firstByte: bytes[0])
      guard framing != nil else { throw .unknown(bytes[0]) }
    }
    switch framing {
    case .slip: try readSLIP(bytes, take)
    default: try readLengths(bytes, take)
    }
  }

  private mutating func readLengths(
    _ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> Void
  ) throws(FramingError) {
    var place = 0
    while place < bytes.count {
      guard lengthBytes == 4 else {
        length = length << 8 | UInt32(bytes[place])
        (lengthBytes, place) = (lengthBytes + 1, place + 1)
        if lengthBytes == 4 {
          guard length <= Framing.limit else { throw .tooLong }
          guard length > 0, length.isMultiple(of: 4) else { throw .badLength(length) }
        }
        continue
      }
      let end = min(bytes.count, place + Int(length) - packet.count)
      bytes.extracting(place..<end).withUnsafeBufferPointer { packet.append(contentsOf: $0) }
      place = end
      guard packet.count == Int(length) else { return }
      take(packet.span)
      packet.removeAll(keepingCapacity: false)
      (lengthBytes, length) = (0, 0)
    }
  }

  private mutating func readSLIP(
    _ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> Void
  ) throws(FramingError) {
    for index in bytes.indices {
      var byte = bytes[index]
      if byte == SLIP.end {
        // An escape without a second byte is wrong, too.
        if isEscaped || isSpoiled { spoiled += 1 } else if !packet.isEmpty { take(packet.span) }
        packet.removeAll(keepingCapacity: false)
        (isEscaped, isSpoiled) = (false, false)
        continue
      }
      if isEscaped {
        isEscaped = false
        switch byte {
        case SLIP.escapedEnd: byte = SLIP.end
        case SLIP.escapedEscape: byte = SLIP.escape
        default: isSpoiled = true
        }
      } else if byte == SLIP.escape {
        isEscaped = true
        continue
      }
      guard packet.count < Framing.limit else { throw .tooLong }
      packet.append(byte)
    }
  }
}
