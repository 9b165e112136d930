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

  /// Divides messages, in order, among as few bundles of at most 1,200 bytes as possible.
  static func packed(_ messages: [EncodedMessage]) -> [ArraySlice<EncodedMessage>] {
    var bundles: [ArraySlice<EncodedMessage>] = []
    var (first, size) = (0, headerSize)
    for (index, message) in messages.enumerated() {
      let length = 4 + message.bytes.count
      if size + length > usualSize, index > first {
        bundles.append(messages[first..<index])
        (first, size) = (index, headerSize)
      }
      size += length
    }
    if first < messages.count { bundles.append(messages[first...]) }
    return bundles
  }
}
