import Synchronization
import Threads

/// A thread for work that may wait without a limit, such as a write to a hung disk. The thread can be
/// abandoned.
final class WriterThread: Sendable {
  private let shared = Shared()

  private final class Shared: Sendable {
    let wake = Semaphore()
    let end = Semaphore()
    let stage = Atomic(Stage.running)
  }

  private enum Stage: Int, AtomicRepresentable {
    case running
    /// The thread ends when no work is left.
    case finishing
    /// The thread ends after its present work.
    case leaving
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the thread's name in `top -H`, at most 15 bytes.
  ///   - work: does one piece of work; returns false if there is none.
  init(name: String, work: @escaping @Sendable () -> Bool) {
    OwnThread(name) { [shared] in
      while shared.stage.load(ordering: .acquiring) != .leaving {
        // Read before the work, so that everything posted before `finish` is done.
        let isFinishing = shared.stage.load(ordering: .acquiring) == .finishing
        if work() { continue }
        if isFinishing { break }
        shared.wake.wait()
      }
      shared.end.signal()
    }.detach()
  }

  deinit { leave() }

  /// Announces work. Any thread; never waits.
  func announceWork() { shared.wake.signal() }

  /// Lets the thread do the remaining work, and waits at most so many seconds for its end. Then the thread is
  /// abandoned.
  ///
  /// It may be called again, but by one thread at a time only.
  /// - Returns: whether the thread has ended.
  func finish(within seconds: Double) -> Bool {
    _ = shared.stage.compareExchange(
      expected: .running, desired: .finishing, ordering: .acquiringAndReleasing)
    shared.wake.signal()
    let hasEnded = shared.end.wait(seconds: seconds)
    if hasEnded { shared.end.signal() }
    leave()
    return hasEnded
  }

  private func leave() {
    shared.stage.store(.leaving, ordering: .releasing)
    shared.wake.signal()
  }
}
