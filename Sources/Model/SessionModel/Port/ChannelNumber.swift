/// A channel of a port or stream, counted from 1.
public struct ChannelNumber: Hashable, Sendable, Comparable {
  public let value: Int

  /// Nil for a number that no channel has: there are 1 to 64.
  public init?(_ value: Int) {
    guard (1...Port.maximumChannels).contains(value) else { return nil }
    self.value = value
  }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension [ChannelNumber] {
  /// Each channel once, in order.
  public var inOrder: [ChannelNumber] { Set(self).sorted() }

  /// The factor of a channel if these are inverted: -1 or 1.
  public func polarity(of channel: Int) -> Float { contains { $0.value == channel } ? -1 : 1 }
}
