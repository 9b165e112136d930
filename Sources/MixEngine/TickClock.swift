internal import CRealtime

/// How long a tick of the processor's clock is, by which the audio thread measures itself: found by comparing it with the system's,
/// the more exactly the longer both run.
struct TickClock {
  private let firstTick = mr_ticks()
  private let firstNanosecond = mr_monotonic_nanoseconds()
  private var nanosecondsPerTick = 0.0

  /// Looks at both clocks.
  mutating func compare() {
    let (ticks, time) = (mr_ticks() &- firstTick, mr_monotonic_nanoseconds() - firstNanosecond)
    if ticks > 0 { nanosecondsPerTick = Double(time) / Double(ticks) }
  }

  /// The time that some ticks take, as of the last comparison.
  func nanoseconds(_ ticks: UInt32) -> Int { Int(Double(ticks) * nanosecondsPerTick) }
}
