internal import CRealtime
internal import Synchronization

extension EffectThread {
  public static let all: [EffectThread] = [.sound, .loader, .worker]
}

// What no audio thread calls.
extension EffectExchange {
  /// Sleeps until the next ring after so many. The sound thread alone.
  package func sleep(after rings: UInt32) {
    sleep(.untilRing, after: rings, until: mr_monotonic_nanoseconds() + 1_000_000_000)
  }

  /// Sleeps until the next period should have been asked for, an eighth of a period after its time, so that the audio thread has no one to wake.
  /// The sound thread alone, after a period.
  ///
  /// - Parameter rate: frames per second.
  package func sleepUntilPeriod(after rings: UInt32, rate: Double) {
    let period = UInt64(Double(program.pointee.frames.load(ordering: .relaxed)) * 1e9 / rate)
    let asked = program.pointee.askedAt.load(ordering: .relaxed)
    sleep(.untilTime, after: rings, until: asked + period + period / 8)
  }

  private func sleep(_ kind: EffectSleep, after rings: UInt32, until time: UInt64) {
    bell.pointee.sleeps.store(kind.rawValue, ordering: .sequentiallyConsistent)
    if self.rings() == rings { mr_word_wait(bell, rings, time) }
    bell.pointee.sleeps.store(EffectSleep.awake.rawValue, ordering: .sequentiallyConsistent)
  }

  /// Where the number of the thread that crashed is stored.
  package func crashed() -> UnsafeMutablePointer<Int64> {
    (memory + EffectLayout.program + MemoryLayout<Int>.size * 3).assumingMemoryBound(to: Int64.self)
  }

  // MARK: The router's other threads

  /// Says that the program has ended, so that the audio thread does not wait for it.
  public func abandon() { program.pointee.isAbandoned.store(true, ordering: .releasing) }

  /// Makes the memory ready for a new program, after the old one has ended.
  public func renew() {
    queue.pointee.read.store(queue.pointee.written.load(ordering: .relaxed), ordering: .relaxed)
    for thread in EffectThread.all {
      (activities + thread.rawValue).pointee.place.store(0, ordering: .relaxed)
      (activities + thread.rawValue).pointee.thread.store(0, ordering: .relaxed)
    }
    bell.pointee.sleeps.store(0, ordering: .relaxed)
    program.pointee.crashed.store(0, ordering: .relaxed)
    program.pointee.isAbandoned.store(false, ordering: .releasing)
  }
}
