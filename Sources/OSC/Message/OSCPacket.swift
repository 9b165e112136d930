/// What one datagram or frame carries: a message, or a tree of bundles.
public enum OSCPacket: Hashable, Sendable {
  case message(OSCMessage)
  case bundle(OSCBundle)

  /// All messages in the order of the packet, whatever bundle they are in.
  public var messages: [OSCMessage] {
    switch self {
    case .message(let message): [message]
    case .bundle(let bundle): bundle.messages
    }
  }
}

/// Packets that belong together and are meant for one moment.
public struct OSCBundle: Hashable, Sendable {
  /// When the messages of this bundle are meant to act; inner bundles have a timetag of their own.
  public var timetag: OSCTimetag

  /// Messages and inner bundles in order.
  public var elements: [OSCPacket]

  /// Puts a bundle together.
  public init(timetag: OSCTimetag = .immediately, _ elements: [OSCPacket]) {
    self.timetag = timetag
    self.elements = elements
  }

  /// All messages in order, those of inner bundles included.
  public var messages: [OSCMessage] { elements.flatMap(\.messages) }
}
