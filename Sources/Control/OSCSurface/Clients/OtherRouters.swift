import ControlInterface
import OSC

/// Recognizes other routers, so that a router never obeys the feedback of a router.
///
/// A client can name the port of another router for its feedback, by mistake or on purpose. The values would then move that router's
/// faders, whose feedback could come back. Therefore a router begins its feedback to a named port with `/alive`, and ignores all packets of
/// a peer that sends `/alive` with another epoch than its own. A surface that only returns what it has received is no router.
struct OtherRouters: Sendable {
  /// The routers, in the order in which they were recognized.
  private var known: [Peer] = []

  /// Greatest number of routers. A further one replaces the oldest.
  private static let capacity = 64

  /// Looks for signs of a router in the messages of a packet.
  ///
  /// - Parameter epoch: the epoch of this router.
  /// - Returns: whether the packet comes from another router.
  mutating func note(_ messages: [OSCMessage], from peer: Peer, at epoch: Int32) -> Bool {
    let place = known.firstIndex(of: peer)
    for message in messages {
      switch (message.address, message.arguments.first) {
      // Only a client registers. Its program has taken over the router's port.
      case ("/hello", _), ("/subscribe", _):
        if let place { known.remove(at: place) }
        return false
      case ("/alive", .int32(let other)?) where other != epoch:
        guard place == nil else { return true }
        if known.count >= Self.capacity { known.removeFirst() }
        known.append(peer)
        return true
      default: break
      }
    }
    return place != nil
  }

  /// Whether only routers send messages to an address. A router ignores them, also if a surface returns them.
  static func sends(_ address: String) -> Bool {
    addresses.contains(address)
      || address.hasPrefix("/event/") && !["/event/since", "/event/lines"].contains(address)
  }

  private static let addresses: Set<String> = [
    "/alive", "/seq", "/error", "/response", "/pong", "/welcome", "/synced", "/snapshot/end",
  ]
}
