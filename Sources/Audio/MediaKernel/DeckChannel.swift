/// One channel of a player's decks. It keeps their memory.
///
/// Two channels are equal if they are the same channel of the same player.
public struct DeckChannel: Hashable, Sendable {
  public let store: DeckPairStore
  /// Counted from 0.
  public let channel: Int

  public init(_ store: DeckPairStore, channel: Int) {
    precondition((0..<store.channelCount).contains(channel), "the player has no channel \(channel)")
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
