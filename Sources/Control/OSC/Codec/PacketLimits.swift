/// The limits of one packet, so that a single packet cannot keep the router busy (docs/develop/law/osc.md#15-packet-limits).
public struct PacketLimits: Hashable, Sendable {
  /// Greatest number of bytes of the packet.
  public var size: Int

  /// Greatest depth of nested bundles; a bundle of messages has depth 1.
  public var depth: Int

  /// Greatest number of messages in the packet.
  public var messages: Int

  /// Greatest number of arguments of a message, counted after arrays are flattened.
  public var arguments: Int

  /// Sets the limits; the defaults are those of UDP.
  public init(size: Int = 8_192, depth: Int = 8, messages: Int = 256, arguments: Int = 64) {
    self.size = size
    self.depth = depth
    self.messages = messages
    self.arguments = arguments
  }

  /// The limits of a datagram that the router receives.
  public static let udp = PacketLimits()

  /// The limits of a packet that the router receives in a TCP connection.
  public static let tcp = PacketLimits(size: Framing.limit)

  /// The limits of an answer that a client receives: everything that fits into a datagram or a frame.
  public static let answer = PacketLimits(size: Framing.limit, messages: 4_096, arguments: 4_096)
}
