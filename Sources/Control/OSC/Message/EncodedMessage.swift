/// A message with its bytes. Feedback that many clients get is encoded once.
public struct EncodedMessage: Hashable, Sendable {
  public let message: OSCMessage
  /// The bytes of the message as a packet of its own.
  public let bytes: [UInt8]

  public init(_ message: OSCMessage) {
    (self.message, bytes) = (message, PacketEncoder.encode(message))
  }
}
