import CLinux
import Glibc

extension System {
  /// Makes a counter with a descriptor that is readable while the count is not 0.
  public static func eventfd() throws(SystemError) -> Int32 {
    try check("eventfd", CLinux.eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
  }

  /// Adds to a counter, which wakes the threads that wait for it. Never blocks and allocates no memory.
  public static func eventfd_write(_ descriptor: Int32, _ count: UInt64 = 1) {
    // A full counter is readable as well, so the reader wakes in either case.
    while CLinux.eventfd_write(descriptor, count) < 0, errno == EINTR {}
  }

  /// Returns a counter's count, or how often a timer has run out, and resets it to 0.
  @discardableResult
  public static func eventfd_read(_ descriptor: Int32) -> UInt64 {
    var count: UInt64 = 0
    while CLinux.eventfd_read(descriptor, &count) < 0 {
      if errno != EINTR { return 0 }
    }
    return count
  }

  /// Makes a timer on the monotonic clock. Its descriptor becomes readable when the time has come;
  /// `eventfd_read` resets it.
  public static func timerfd_create() throws(SystemError) -> Int32 {
    let flags = Int32(TFD_CLOEXEC | TFD_NONBLOCK)
    return try check("timerfd_create", CLinux.timerfd_create(CLOCK_MONOTONIC, flags))
  }

  /// Sets the time at which a timer runs out. A time in the past makes it run out at once.
  ///
  /// - Parameter due: seconds of the monotonic clock; nil for never.
  public static func timerfd_settime(_ descriptor: Int32, due: Double?) throws(SystemError) {
    var times = itimerspec()
    // 0 would mean never.
    if let due { times.it_value = timespec(seconds: max(1e-9, due)) }
    try check(
      "timerfd_settime", CLinux.timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &times, nil))
  }
}
