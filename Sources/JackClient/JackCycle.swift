import CJack
import CRealtime
import Synchronization

/// What every process callback keeps about itself: whether it is running, how far it has come, where time jumped.
///
/// Lives behind a pointer that `JackClient` owns; `enter` and `leave` belong on the audio thread, the rest anywhere.
public struct JackCycle: ~Copyable {
  let client: OpaquePointer
  private let inside = Atomic<Bool>(false)
  private let cycleCount = Atomic<Int>(0)
  private let frameCount = Atomic<Int>(0)
  private let jumpCount = Atomic<Int>(0)
  /// How far it had come when the control side saw it move last, and when that was in microseconds; the control side's own.
  private let seenCycles = Atomic<Int>(0)
  private let seenTime = Atomic<UInt64>(0)
  /// Used by the audio thread only.
  private var expectedTime: UInt32 = 0

  init(client: OpaquePointer) { self.client = client }

  /// Marks the callback as running; returns the server's time of the period's first frame, which wraps at 2^32.
  ///
  /// From here to `leave` the RealtimeSanitizer watches, in builds that have it.
  @_noLocks public mutating func enter(frames: UInt32) -> UInt32 {
    inside.store(true, ordering: .sequentiallyConsistent)
    mr_rt_enter()
    let time = JackCalls.lastFrameTime(client)
    if time != expectedTime, cycleCount.load(ordering: .relaxed) > 0 {
      jumpCount.add(1, ordering: .relaxed)
    }
    expectedTime = time &+ frames
    return time
  }

  /// Marks the callback as done and counts the period.
  @_noLocks public mutating func leave(frames: UInt32) {
    frameCount.add(Int(frames), ordering: .relaxed)
    cycleCount.add(1, ordering: .relaxed)
    mr_rt_exit()
    inside.store(false, ordering: .releasing)
  }

  /// Whether the process callback is running at this moment.
  public var isInside: Bool { inside.load(ordering: .sequentiallyConsistent) }
  /// Periods processed since the client was opened; standing still means the server no longer calls.
  public var cycles: Int { cycleCount.load(ordering: .relaxed) }
  /// Frames processed since the client was opened.
  public var frames: Int { frameCount.load(ordering: .relaxed) }
  /// Microseconds since a look at this saw that the callback had run again; nil before the first time. Long means that the server
  /// no longer calls. Look at it again and again: whoever looks keeps the time, so that the callback need not.
  public var idleMicroseconds: Int? {
    let (count, now) = (cycles, JackCalls.time())
    if count != seenCycles.load(ordering: .relaxed) {
      seenCycles.store(count, ordering: .relaxed)
      seenTime.store(now, ordering: .relaxed)
    }
    return count == 0 ? nil : Int(now &- seenTime.load(ordering: .relaxed))
  }
  /// How often the server's frame time did not go on where the last period ended.
  public var jumps: Int { jumpCount.load(ordering: .relaxed) }
}
