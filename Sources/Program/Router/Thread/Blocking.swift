import Synchronization
import Threads

extension RouterService {
  /// Runs work on the policy thread and waits for the result.
  ///
  /// Call this on a thread of your own, never on the policy thread, which would wait for itself.
  public func wait<Result: Sendable>(
    for work: @escaping @Sendable (Router) async -> Result
  ) -> Result {
    let answer = Answer<Result>()
    post { answer.give(await work($0)) }
    return answer.take()
  }

  /// Runs work on the policy thread and waits for the result, at most for some seconds.
  ///
  /// - Returns: nil when the time is over. The work still runs later.
  @discardableResult
  public func wait<Result: Sendable>(
    within seconds: Double, for work: @escaping @Sendable (Router) async -> Result
  ) -> Result? {
    let answer = Answer<Result>()
    post { answer.give(await work($0)) }
    return answer.take(within: seconds)
  }

  /// Runs work on the policy thread, without waiting.
  public func post(_ work: @escaping @Sendable (Router) async -> Void) {
    let router = router
    Task(executorPreference: router.executor) { await work(router) }
  }

  /// Writes the present state, and has the stop leave it for the next run. Waits for the disk, but at most 0.3 s.
  public func keepForNextRun() { wait(within: 0.3) { await $0.keepForNextRun() } }

  /// Fades out, leaves the audio server and ends the policy thread; returns when that is done.
  public func stopAndWait() {
    wait { await $0.stop() }
    router.executor.stop()
  }
}

/// A result that one thread waits for and another gives.
private final class Answer<Result: Sendable>: Sendable {
  private let result = Mutex<Result?>(nil)
  private let given = Semaphore()

  func give(_ value: sending Result) {
    result.withLock { $0 = value }
    given.signal()
  }

  func take() -> Result {
    given.wait()
    return result.withLock { $0.take()! }
  }

  func take(within seconds: Double) -> Result? {
    given.wait(seconds: seconds) ? result.withLock { $0.take() } : nil
  }
}
