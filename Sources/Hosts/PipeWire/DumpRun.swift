import Processes
import Synchronization
import SystemCalls
import Threads

/// One run of `pw-dump` on a thread of its own, with a time limit.
final class DumpRun: Sendable {
  /// How a run ended.
  enum Outcome: Sendable {
    case answered([UInt8])
    /// The program could not be started.
    case missing
    /// The program ended without an answer, or gave none in time.
    case failed
  }

  private let state = Mutex(State())
  private let program: String
  private let delay: Double
  private let seconds: Double
  private let cancelled = Semaphore()
  private let done: @Sendable (Outcome) -> Void

  private struct State {
    var thread: OwnThread?
    var child: Child?
    var isCancelled = false
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up in PATH.
  ///   - delay: seconds to wait before the program is started.
  ///   - seconds: the time limit, after which the program is killed.
  ///   - done: called on the run's thread, unless the run was cancelled.
  init(program: String, after delay: Double, seconds: Double, done: @escaping @Sendable (Outcome) -> Void) {
    (self.program, self.delay, self.seconds, self.done) = (program, delay, seconds, done)
    do throws(OwnThread.Failure) {
      let thread = try OwnThread.start("mr-nodes") { self.run() }
      state.withLock { $0.thread = thread }
    } catch {
      done(.failed)
    }
  }

  /// Ends the program if it still runs, and waits for the thread. Call this once, and not from `done`.
  func finish() {
    let thread = state.withLock { state in
      state.isCancelled = true
      state.child?.send(.kill)
      return state.thread
    }
    cancelled.signal()
    thread?.join()
  }

  private func run() {
    if delay > 0, cancelled.wait(seconds: delay) { return }
    let outcome = ask()
    if !state.withLock({ $0.isCancelled }) { done(outcome) }
  }

  private func ask() -> Outcome {
    var run = ChildProgram(program)
    run.output = .us
    let child: Child?
    do throws(SystemError) {
      child = try state.withLock { state throws(SystemError) in
        if !state.isCancelled { state.child = try Child(run) }
        return state.child
      }
    } catch {
      return .missing
    }
    guard let child else { return .failed }
    let bytes = child.readOutput(limit: NodeDump.sizeLimit, seconds: seconds)
    // After the program has closed its output, it has nothing more to report.
    child.kill()
    guard let bytes, !bytes.isEmpty else { return .failed }
    return .answered(bytes)
  }
}
