/// One channel of a ring. It keeps the ring's memory.
///
/// Two channels are equal if they are the same channel of the same ring.
public struct RingChannel: Hashable, Sendable {
  public let store: RingStore
  /// Counted from 0.
  public let channel: Int

  public init(_ store: RingStore, channel: Int) {
    precondition((0..<store.channelCount).contains(channel), "the ring has no channel \(channel)")
    (self.store, self.channel) = (store, channel)
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.store === right.store && left.channel == right.channel
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(store))
    hasher.combine(channel)
  }
}
