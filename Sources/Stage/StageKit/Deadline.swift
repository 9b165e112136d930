import Threads

/// The moment at which waiting ends, by the monotonic clock.
struct Deadline {
  private let end: Double

  init(seconds: Double) { end = MonotonicTime.now + seconds }

  var isOver: Bool { MonotonicTime.now >= end }
}
