/// One channel of a recorder's tap. It keeps the tap's memory.
///
/// Two channels are equal if they are the same channel of the same recorder.
public struct TapChannel: Hashable, Sendable {
  public let store: RecorderTapStore
  /// Counted from 0.
  public let channel: Int

  public init(_ store: RecorderTapStore, channel: Int) {
    precondition((0..<store.channelCount).contains(channel), "the recorder has no channel \(channel)")
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
