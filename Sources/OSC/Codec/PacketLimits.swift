/// How much one packet may contain, so that a single packet cannot occupy the router (osc contract, section 5).
public struct PacketLimits: Hashable, Sendable {
  /// Bytes of the whole packet.
  public var size: Int

  /// Bundles inside each other; a bundle of messages has depth 1.
  public var depth: Int

  /// Messages in the whole packet.
  public var messages: Int

  /// Arguments of one message, counted after arrays are flattened.
  public var arguments: Int

  /// Sets each limit; the defaults are those of UDP.
  public init(size: Int = 8_192, depth: Int = 8, messages: Int = 256, arguments: Int = 64) {
    self.size = size
    self.depth = depth
    self.messages = messages
    self.arguments = arguments
  }

  /// What the router accepts in a datagram.
  public static let udp = PacketLimits()

  /// What a client accepts in an answer: whatever fits into a datagram.
  public static let answer = PacketLimits(size: 65_507, messages: 4_096, arguments: 4_096)
}
