/// Where a player is at a moment. Until the next mark, `position(at:)` tells where it is later.
public struct PlayerMark: Hashable, Sendable {
  public var item: PlayerItem
  /// Seconds from the start of the item.
  public var position: Double
  /// The moment, as `MonotonicTime.now` counts. Sound comes in periods: the mark is true to one of them.
  public var time: Double
  /// Seconds of the item in each second: the rate, or that of winding; 0 while the player rests.
  public var speed: Double

  /// Seconds from the start of the item at a later moment.
  public func position(at time: Double) -> Double { max(0, position + (time - self.time) * speed) }
}
