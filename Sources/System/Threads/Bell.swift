import Glibc

/// Wakes one thread that waits. A ring before the wait is not lost: the next wait then returns at once.
public final class Bell: @unchecked Sendable {
  // A semaphore may be used by any thread, which the compiler cannot know.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  public init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Any thread; never blocks.
  public func ring() { sem_post(semaphore) }

  /// Waits until it is rung, once for each ring.
  public func wait() { while sem_wait(semaphore) != 0 {} }
}
