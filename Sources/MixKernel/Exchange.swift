public import Synchronization

/// Everything that the audio thread and other threads touch together: atomics, and rings behind them.
public struct Exchange: ~Copyable {
  /// The newest plan that waits to be adopted.
  package let pending = Atomic<UnsafeMutablePointer<Plan>?>(nil)
  /// Plans that were adopted once and are done with, linked by `next`, newest first.
  package let retired = Atomic<UnsafeMutablePointer<Plan>?>(nil)
  /// Serial of the plan in use; any thread may read it.
  public let adoptedSerial = Atomic<UInt64>(0)
  /// Frames processed since the start; any thread may read it.
  public let framesProcessed = Atomic<UInt64>(0)
  /// Telemetry on its way to the control side.
  package let telemetry: TelemetryRing
  /// Levels that faders send ahead of the plans that decide on them.
  package let early: EarlyLevels

  package init(telemetry: consuming TelemetryRing, early: consuming EarlyLevels) {
    self.telemetry = telemetry
    self.early = early
  }

  /// Puts a plan where the control side finds and frees it.
  ///
  /// Only this thread adds to the list and the control side only takes all of it, so that the second attempt succeeds.
  @_noLocks
  func retire(_ plan: UnsafeMutablePointer<Plan>) {
    let head = retired.load(ordering: .acquiring)
    plan.pointee.next = head
    if retired.compareExchange(expected: head, desired: plan, ordering: .acquiringAndReleasing).exchanged {
      return
    }
    plan.pointee.next = nil
    retired.store(plan, ordering: .releasing)
  }
}

/// A ring of words from the audio thread to the control side.
package struct TelemetryRing: ~Copyable {
  /// A power of two.
  package let capacity: Int
  package let words: UnsafeMutablePointer<UInt32>
  /// Words ever written and ever read.
  package let written = Atomic<Int>(0)
  package let read = Atomic<Int>(0)

  package init(capacity: Int, words: UnsafeMutablePointer<UInt32>) {
    (self.capacity, self.words) = (capacity, words)
  }

  /// Words that can be written now.
  @_noLocks
  func room() -> Int {
    capacity &- (written.load(ordering: .relaxed) &- read.load(ordering: .acquiring))
  }
}
