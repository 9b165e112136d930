internal import CRealtime

/// Converts ticks of the processor's clock, in which the audio thread measures times, into nanoseconds. It compares that clock with the
/// system's; the result becomes more exact the longer both run.
struct TickClock {
  private let firstTick = mr_ticks()
  private let firstNanosecond = mr_monotonic_nanoseconds()
  private(set) var nanosecondsPerTick = 0.0
  /// The last readings of both clocks.
  private var (lastTick, lastNanosecond): (UInt64, UInt64) = (0, 0)

  /// Compares both clocks.
  mutating func compare() {
    (lastTick, lastNanosecond) = (mr_ticks(), mr_monotonic_nanoseconds())
    let (ticks, time) = (lastTick &- firstTick, lastNanosecond - firstNanosecond)
    if ticks > 0 { nanosecondsPerTick = Double(time) / Double(ticks) }
  }

  /// A number of ticks in nanoseconds, by the last comparison.
  func nanoseconds(_ ticks: UInt32) -> Int { Int(Double(ticks) * nanosecondsPerTick) }

  /// A number of ticks in nanoseconds, by the last comparison.
  func nanoseconds(_ ticks: UInt64) -> Int { Int(Double(min(ticks, 1 << 62)) * nanosecondsPerTick) }

  /// A reading of the processor's clock in seconds of the system's monotonic clock. It is more exact the nearer it is to the last comparison,
  /// because the system corrects its clock now and then.
  func seconds(at tick: UInt64) -> Double {
    Double(lastNanosecond) * 1e-9 + Double(Int64(bitPattern: tick &- lastTick)) * nanosecondsPerTick * 1e-9
  }
}
