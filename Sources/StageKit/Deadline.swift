import Glibc

/// A moment after which waiting ends, on the clock that never jumps.
struct Deadline {
  private let end: Double

  init(seconds: Double) { end = Self.now + seconds }

  var isOver: Bool { Self.now >= end }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
