/// What the control side wants of a player's decks. A plan carries it, so that several players obey in the same period.
public struct DeckOrder: BitwiseCopyable, Equatable, Sendable {
  /// Number of the order; one that is not newer than the last one changes nothing. 0 is no order.
  public var serial: Int
  /// Whether the player sounds.
  public var runs: Bool
  /// The frame at which the order takes effect, in the count that `DeckPair.begin` gets; `now` for the next period's first frame.
  public var time: Int
  /// The oldest generation that may sound: an order to play waits for the deck of a seek that came before it.
  public var generation: Int
  /// Length of the fade in or out in frames; 0 starts at the full level, which keeps an attack, or stops at once.
  public var fade: Int

  public static let now = Int.min

  @_noLocks
  public init(serial: Int = 0, runs: Bool = false, time: Int = now, generation: Int = 0, fade: Int = 0) {
    (self.serial, self.runs, self.time) = (serial, runs, time)
    (self.generation, self.fade) = (generation, fade)
  }
}
