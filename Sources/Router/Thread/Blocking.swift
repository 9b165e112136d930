import Glibc
import Synchronization

extension RouterService {
  /// Runs something on the router's thread and waits for it, for callers that have a thread of their own.
  ///
  /// Never call it on the policy thread, which would wait for itself.
  public func wait<Result: Sendable>(
    for work: @escaping @Sendable (Router) async -> Result
  ) -> Result {
    let answer = Answer<Result>()
    let router = router
    Task(executorPreference: router.executor) { answer.give(await work(router)) }
    return answer.take()
  }

  /// Fades out, leaves the audio server and closes the sockets; returns when all is over.
  public func stopAndWait() {
    wait { _ in await self.stop() }
    router.executor.stop()
  }
}

/// A result that one thread waits for and another gives.
private final class Answer<Result: Sendable>: Sendable {
  private let result = Mutex<Result?>(nil)
  private let given: UnsafeSendable

  /// A semaphore may be used by any thread; the compiler cannot know.
  private struct UnsafeSendable: @unchecked Sendable {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  }

  init() {
    given = UnsafeSendable()
    sem_init(given.semaphore, 0, 0)
  }

  deinit {
    sem_destroy(given.semaphore)
    given.semaphore.deallocate()
  }

  func give(_ value: sending Result) {
    result.withLock { $0 = value }
    sem_post(given.semaphore)
  }

  func take() -> Result {
    while sem_wait(given.semaphore) != 0 {}
    return result.withLock { $0.take()! }
  }
}
