import CRealtime
import JackClient
import Synchronization

/// The process callback of a stage's own client, which has no ports: it counts periods and frames.
///
/// A server that freewheels takes all the processor time that it can get, also while a test waits for another program. So the server runs at most
/// four times as fast as real time while no caller of the stage waits for sound.
struct StageClock: ~Copyable {
  let cycle: UnsafeMutablePointer<JackCycle>
  private let sampleRate: Int
  /// How many callers wait for sound or frames.
  private let waiting = Atomic<Int>(0)

  /// Greatest speed of the server while no caller waits, as a multiple of real time.
  private static var greatestSpeed: Int { @_noLocks get { 4 } }

  init(cycle: UnsafeMutablePointer<JackCycle>, sampleRate: Int) {
    (self.cycle, self.sampleRate) = (cycle, sampleRate)
  }

  @_noLocks mutating func process(frames: UInt32) {
    _ = cycle.pointee.enter(frames: frames)
    if cycle.pointee.isFreewheeling() { rest(frames: Int(frames)) }
    cycle.pointee.leave(frames: frames)
  }

  @_noLocks private func rest(frames: Int) {
    let end = mr_monotonic_nanoseconds() &+ UInt64(frames &* 1_000_000_000 / sampleRate / Self.greatestSpeed)
    while waiting.load(ordering: .relaxed) == 0, mr_monotonic_nanoseconds() < end { mr_freewheel_nap() }
  }

  /// Begins to wait for sound or frames. Any thread but the audio thread.
  func beginWaiting() { waiting.add(1, ordering: .relaxed) }

  func endWaiting() { waiting.subtract(1, ordering: .relaxed) }
}
