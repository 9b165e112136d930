import Commands
import Synchronization
import SystemCalls
import Threads

/// Watches for SIGTERM and Ctrl-C while `run` starts, because a disk, a FIFO or a server that does not answer can stop the start.
///
/// After a signal the start has a short time to finish, and the router then ends in order. Otherwise the process ends at once.
final class StartWatch {
  private let progress = Progress()
  private var thread: OwnThread?

  /// Seconds that the start may still take after a signal.
  private static let patience = 0.6
  /// Seconds between two looks for the end of the start.
  private static let step = Duration.milliseconds(5)

  private final class Progress: Sendable {
    let isFinished = Atomic(false)
    let isInterrupted = Atomic(false)
    let finish = Semaphore()
  }

  /// - Parameter signals: blocked on all threads; no other thread takes them before `finish`.
  init(_ signals: ProcessSignals) {
    thread = OwnThread("mr-start") { [progress] in
      while !progress.isFinished.load(ordering: .acquiring) {
        // A hang-up asks for a reload, and there is nothing to reload yet.
        guard let signal = signals.next(within: Self.step), signal != .hangUp else { continue }
        progress.isInterrupted.store(true, ordering: .releasing)
        signals.release(.interrupt)
        if !progress.finish.wait(seconds: Self.patience) { System._exit(ExitCode.success.rawValue) }
        return
      }
    }
  }

  /// Whether a signal to end has come.
  var isInterrupted: Bool { progress.isInterrupted.load(ordering: .acquiring) }

  /// Ends the watch; may be called more than once.
  /// - Returns: whether a signal to end has come.
  @discardableResult
  func finish() -> Bool {
    progress.isFinished.store(true, ordering: .releasing)
    progress.finish.signal()
    thread?.join()
    thread = nil
    return isInterrupted
  }
}
