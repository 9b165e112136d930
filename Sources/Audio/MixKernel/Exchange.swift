public import Synchronization

/// All memory that the audio thread shares with other threads while both run: atomics, and rings that atomics guard.
public struct Exchange: ~Copyable {
  /// The newest plan, until the audio thread adopts it.
  package let pending = Atomic<UnsafeMutablePointer<Plan>?>(nil)
  /// Plans that the audio thread no longer uses, linked by `next`, newest first. The control side frees them.
  package let retired = Atomic<UnsafeMutablePointer<Plan>?>(nil)
  /// Serial of the plan in use; any thread may read it.
  public let adoptedSerial = Atomic<UInt64>(0)
  /// Frames processed since the start; any thread may read it.
  public let framesProcessed = Atomic<UInt64>(0)
  /// The bit pattern of a Double: how many frames a tick of the processor's clock lasts; 0 until the control side has measured the clock.
  package let framesPerTick = Atomic<UInt64>(0)
  /// Telemetry records from the audio thread to the control side.
  package let telemetry: TelemetryRing
  /// Levels that faders send before a plan decides about them.
  package let early: EarlyLevels

  package init(telemetry: consuming TelemetryRing, early: consuming EarlyLevels) {
    self.telemetry = telemetry
    self.early = early
  }

  /// Adds a plan to the list of plans that the control side frees.
  ///
  /// Only the audio thread adds to the list, and the control side only takes the whole list. If the exchange fails, the list is empty,
  /// so a plain store is enough then.
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
  /// Numbers of words written and read since the start.
  package let written = Atomic<Int>(0)
  package let read = Atomic<Int>(0)

  package init(capacity: Int, words: UnsafeMutablePointer<UInt32>) {
    (self.capacity, self.words) = (capacity, words)
  }

  /// Number of words that can be written now.
  @_noLocks
  func room() -> Int {
    capacity &- (written.load(ordering: .relaxed) &- read.load(ordering: .acquiring))
  }
}
