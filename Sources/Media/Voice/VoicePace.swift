/// When the worker of a voice looks for new samples: every millisecond, except while no block can be complete.
///
/// Each look wakes the thread. Nine of ten would find nothing, and took a third of the worker's time when it looked every millisecond.
struct VoicePace {
  private let rate, period, block: Int
  /// Frames that had been written at the last look.
  private var written = 0
  /// Whether the last pause was a long one, after which the time of a new period is not known.
  private var wasLong = false

  /// Milliseconds by which a long pause ends before the block can be complete: one by which the last look may have come after its period, and
  /// one by which a period may come sooner after the one before.
  private static let margin = 2

  /// - Parameters:
  ///   - rate: frames per second.
  ///   - period: frames that the audio thread writes at once.
  ///   - block: frames that the worker takes at once.
  init(rate: Int, period: Int, block: Int) {
    (self.rate, self.period, self.block) = (rate, period, block)
  }

  /// Milliseconds until the next look.
  ///
  /// - Parameters:
  ///   - frames: frames that the audio thread has written, since the start.
  ///   - waiting: how many of them wait, less than a block.
  mutating func pause(written frames: Int, waiting: Int) -> Int32 {
    let hasCome = frames != written
    written = frames
    guard hasCome, !wasLong else {
      wasLong = false
      return 1
    }
    let periods = (block - waiting + period - 1) / period
    let pause = periods * period * 1_000 / rate - Self.margin
    wasLong = pause > 1
    return Int32(max(1, pause))
  }
}
