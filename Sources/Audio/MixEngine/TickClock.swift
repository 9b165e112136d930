internal import CRealtime

/// Converts ticks of the processor's clock, in which the audio thread measures times, into nanoseconds. It compares that clock with the
/// system's; the result becomes more exact the longer both run.
struct TickClock {
  private let firstTick = mr_ticks()
  private let firstNanosecond = mr_monotonic_nanoseconds()
  private var nanosecondsPerTick = 0.0

  /// Compares both clocks.
  mutating func compare() {
    let (ticks, time) = (mr_ticks() &- firstTick, mr_monotonic_nanoseconds() - firstNanosecond)
    if ticks > 0 { nanosecondsPerTick = Double(time) / Double(ticks) }
  }

  /// A number of ticks in nanoseconds, by the last comparison.
  func nanoseconds(_ ticks: UInt32) -> Int { Int(Double(ticks) * nanosecondsPerTick) }
}
