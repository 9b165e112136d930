import OSC

extension OSCBundle {
  /// Bytes that a feedback bundle may have, so that no network splits it.
  static let usualSize = 1_200
  /// Bytes of a bundle without elements.
  static let headerSize = 16

  /// Bytes of a message within a bundle.
  static func size(of message: OSCMessage) -> Int { 4 + PacketEncoder.encode(message).count }

  /// Messages in order, in as few bundles of at most 1,200 bytes as keep the order.
  static func packed(_ messages: [OSCMessage]) -> [OSCBundle] {
    var bundles: [OSCBundle] = []
    var elements: [OSCPacket] = []
    var size = headerSize
    for message in messages {
      let length = Self.size(of: message)
      if size + length > usualSize, !elements.isEmpty {
        bundles.append(OSCBundle(elements))
        (elements, size) = ([], headerSize)
      }
      elements.append(.message(message))
      size += length
    }
    if !elements.isEmpty { bundles.append(OSCBundle(elements)) }
    return bundles
  }
}
