import OSC

extension OSCBundle {
  /// Greatest size of a feedback bundle in bytes, so that networks do not fragment it.
  static let usualSize = 1_200
  /// Size of a feedback bundle that has nothing but its number (`/seq`), in bytes.
  static let headerSize = 16 + size(of: number(0, epoch: 0))

  /// The first message of each feedback bundle: the epoch of the router, and the number of the bundle.
  static func number(_ sequence: Int32, epoch: Int32) -> OSCMessage {
    OSCMessage("/seq", .int32(epoch), .int32(sequence))
  }

  /// Size of a message within a bundle, in bytes.
  static func size(of message: OSCMessage) -> Int { 4 + PacketEncoder.encode(message).count }

  /// Packs messages in order into as few bundles of at most 1,200 bytes as possible.
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
