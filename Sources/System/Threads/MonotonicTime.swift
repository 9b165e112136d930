import CRealtime
import Glibc

/// The system's monotonic clock, which does not jump when the time of day is set.
public enum MonotonicTime {
  /// Seconds since an unspecified moment. Any thread may call it.
  public static var now: Double { Double(mr_monotonic_nanoseconds()) * 1e-9 }

  /// Lets the calling thread sleep for some seconds, or a little less if a signal comes.
  public static func pause(seconds: Double) {
    var time = timespec(
      tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
  }
}
