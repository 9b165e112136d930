import Glibc

/// Waiting without Foundation and without the shared pool of threads.
enum Clock {
  /// Blocks the calling thread; a signal may end it early.
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }
}
