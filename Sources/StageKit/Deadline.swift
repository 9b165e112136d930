import Threads

/// A moment after which waiting ends, on the clock that never jumps.
struct Deadline {
  private let end: Double

  init(seconds: Double) { end = MonotonicTime.now + seconds }

  var isOver: Bool { MonotonicTime.now >= end }
}
