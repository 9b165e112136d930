/// The content of one datagram: a message, or a tree of bundles.
public enum OSCPacket: Hashable, Sendable {
  case message(OSCMessage)
  case bundle(OSCBundle)
  /// A message to be sent, whose bytes are known already. Packets that are received have none.
  case encoded(EncodedMessage)

  /// All messages of the packet in order, including those in bundles.
  public var messages: [OSCMessage] {
    switch self {
    case .message(let message): [message]
    case .bundle(let bundle): bundle.messages
    case .encoded(let encoded): [encoded.message]
    }
  }
}

/// Messages and bundles that belong together and take effect at one time.
public struct OSCBundle: Hashable, Sendable {
  /// The time at which the messages should take effect. Inner bundles have timetags of their own.
  public var timetag: OSCTimetag

  /// Messages and inner bundles in order.
  public var elements: [OSCPacket]

  /// Whether its receiver wants it as one packet over a transport that else sends each message by itself (WebSocket).
  public var staysWhole = false

  /// Makes a bundle.
  public init(timetag: OSCTimetag = .immediately, _ elements: [OSCPacket]) {
    self.timetag = timetag
    self.elements = elements
  }

  /// All messages in order, including those of inner bundles.
  public var messages: [OSCMessage] { elements.flatMap(\.messages) }
}
