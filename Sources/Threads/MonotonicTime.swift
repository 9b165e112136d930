import CRealtime

/// The clock that never jumps, whatever becomes of the time of day.
public enum MonotonicTime {
  /// Seconds since some moment before the system's start. Any thread.
  public static var now: Double { Double(mr_monotonic_nanoseconds()) * 1e-9 }
}
