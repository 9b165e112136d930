/// What the control side wants of a recorder's tap. A plan carries it, so that several recorders begin on one frame.
public struct TapOrder: BitwiseCopyable, Equatable, Sendable {
  /// Number of the order; one that is not newer than the last one changes nothing. 0 is no order.
  public var serial: Int
  /// Whether frames go into the ring: while it records, and before, so that the recording can begin with what was heard earlier.
  public var listens: Bool
  /// Whether the frames belong to the recording.
  public var records: Bool
  /// The frame at which `records` takes effect, in the count that `RecorderTap.begin` gets; `DeckOrder.now` for the next period.
  public var time: Int

  @_noLocks
  public init(serial: Int = 0, listens: Bool = false, records: Bool = false, time: Int = DeckOrder.now) {
    (self.serial, self.listens, self.records, self.time) = (serial, listens, records, time)
  }
}
