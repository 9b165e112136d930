internal import CRealtime
internal import Synchronization

extension EffectThread {
  public static let all: [EffectThread] = [.sound, .loader, .worker]
}

// What no audio thread calls.
extension EffectExchange {
  /// Sleeps until the next ring after so many. The sound thread alone.
  package func sleep(after rings: UInt32) {
    bell.pointee.sleeps.store(1, ordering: .sequentiallyConsistent)
    if self.rings() == rings { mr_word_wait(bell, rings, 1_000) }
    bell.pointee.sleeps.store(0, ordering: .sequentiallyConsistent)
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
