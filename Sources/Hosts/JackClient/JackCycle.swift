import CJack
import CRealtime
import Synchronization

/// The record that a process callback keeps of itself: whether it runs, how many periods and frames it has processed, and how often the
/// server's time jumped.
///
/// Lives behind a pointer that `JackClient` owns. The audio thread calls `enter` and `leave`; any thread may
/// call the rest.
public struct JackCycle: ~Copyable {
  let client: OpaquePointer
  /// Where libjack's callbacks leave notices; it lives longer than the record.
  private let board: UnsafeMutablePointer<NoticeBoard>
  private let inside = Atomic<Bool>(false)
  private let cycleCount = Atomic<Int>(0)
  private let frameCount = Atomic<Int>(0)
  private let jumpCount = Atomic<Int>(0)
  /// Frames; never negative.
  private let longestJump = Atomic<Int>(0)
  /// The progress that the control thread saw last, and when, in microseconds. Used by the control thread
  /// only.
  private let seenProgress = Atomic<Int>(0)
  private let seenTime = Atomic<UInt64>(0)
  /// The cycles that `uncalledMicroseconds` saw last, and when, in microseconds.
  private let seenCycles = Atomic<Int>(0)
  private let seenCyclesTime = Atomic<UInt64>(0)
  /// Used by the audio thread only.
  private var expectedTime: UInt32 = 0
  /// When the first period began, in microseconds. Used by the audio thread only.
  private var start: UInt64 = 0
  /// Frames per second when the client was opened.
  private let rate: Int
  /// Frames that the server left out before the present period. Used by the audio thread only.
  private var skipped = 0

  init(client: OpaquePointer, board: UnsafeMutablePointer<NoticeBoard>) {
    (self.client, self.board, rate) = (client, board, JackCalls.sampleRate(client))
  }

  /// Marks the callback as running. Returns the server's time of the period's first frame, which wraps at
  /// 2^32.
  ///
  /// From here to `leave` the RealtimeSanitizer watches, in builds that contain it.
  @_noLocks public mutating func enter(frames: UInt32) -> UInt32 {
    inside.store(true, ordering: .sequentiallyConsistent)
    mr_rt_enter()
    let time = JackCalls.lastFrameTime(client)
    skipped = 0
    if cycleCount.load(ordering: .relaxed) == 0 {
      start = JackCalls.time()
    } else if time != expectedTime {
      jumpCount.add(1, ordering: .relaxed)
      // PipeWire gives a new client another clock when it is connected to a device. No more frames are missing than the client is old.
      let age = Int(JackCalls.time() &- start) &* rate / 1_000_000
      skipped = min(age, Int(Int32(bitPattern: time &- expectedTime)))
      longestJump.max(skipped, ordering: .relaxed)
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

  /// Frames that the server left out before the present period, 0 if its time did not jump ahead. Only for the process callback.
  @_noLocks public func skippedFrames() -> Int { max(0, skipped) }

  /// Whether the server freewheels: it runs periods as fast as its clients can, and no device plays the sound. jackd2 says so before the
  /// first such period, PipeWire a little later.
  @_noLocks public func isFreewheeling() -> Bool { board.pointee.freewheels.load(ordering: .relaxed) }

  /// Whether the process callback is running at this moment.
  public var isInside: Bool { inside.load(ordering: .sequentiallyConsistent) }
  /// Periods processed since the client was opened. While the count stands still, the server does not call.
  public var cycles: Int { cycleCount.load(ordering: .relaxed) }
  /// Frames processed since the client was opened.
  public var frames: Int { frameCount.load(ordering: .relaxed) }
  /// A number that changes with every period of the server, even while a hung program ahead of us in the
  /// graph keeps the server from calling us.
  public var progress: Int { cycles &<< 32 | Int(JackCalls.lastFrameTime(client)) }
  /// Microseconds since the server last ran a period; nil before our first period. The time is measured from read to read, because the
  /// callback reads no clock. So read this at short intervals.
  public var idleMicroseconds: Int? {
    let (mark, now) = (progress, JackCalls.time())
    if mark != seenProgress.load(ordering: .relaxed) {
      seenProgress.store(mark, ordering: .relaxed)
      seenTime.store(now, ordering: .relaxed)
    }
    return cycles == 0 ? nil : Int(now &- seenTime.load(ordering: .relaxed))
  }
  /// Microseconds since the server last called us; nil before our first period. A server that runs periods and does not call us waits for
  /// a program ahead of us in the graph. The time is measured from read to read.
  public var uncalledMicroseconds: Int? {
    let (mark, now) = (cycles, JackCalls.time())
    if mark != seenCycles.load(ordering: .relaxed) {
      seenCycles.store(mark, ordering: .relaxed)
      seenCyclesTime.store(now, ordering: .relaxed)
    }
    return mark == 0 ? nil : Int(now &- seenCyclesTime.load(ordering: .relaxed))
  }
  /// How often a period did not start at the frame where the last one ended.
  public var jumps: Int { jumpCount.load(ordering: .relaxed) }
  /// The most frames that the server left out at once since the last call: so late was it at its worst xrun.
  public func takeLongestJump() -> Int { longestJump.exchange(0, ordering: .relaxed) }
}
