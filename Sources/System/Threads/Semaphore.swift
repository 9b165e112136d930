import Glibc

/// A count that threads wait for: each `signal` lets one `wait` go on. Any thread may call it; `signal` never waits for long.
public final class Semaphore: Sendable {
  private let storage: Storage

  /// All code uses the storage under the mutex only, which the compiler cannot check.
  private struct Storage: @unchecked Sendable {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  }

  public init() {
    storage = Storage()
    storage.count.initialize(to: 0)
    pthread_mutex_init(storage.mutex, nil)
    // This clock does not jump with the time of day, unlike the clock of `sem_timedwait`.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(storage.condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(storage.condition)
    pthread_mutex_destroy(storage.mutex)
    storage.condition.deallocate()
    storage.mutex.deallocate()
    storage.count.deallocate()
  }

  public func signal() {
    pthread_mutex_lock(storage.mutex)
    storage.count.pointee += 1
    pthread_mutex_unlock(storage.mutex)
    pthread_cond_signal(storage.condition)
  }

  public func wait() { _ = wait(until: nil) }

  /// Waits some seconds at most.
  ///
  /// - Returns: false when the time is over.
  public func wait(seconds: Double) -> Bool { wait(until: MonotonicTime.now + max(0, seconds)) }

  private func wait(until end: Double?) -> Bool {
    pthread_mutex_lock(storage.mutex)
    defer { pthread_mutex_unlock(storage.mutex) }
    while storage.count.pointee == 0 {
      guard let end else {
        pthread_cond_wait(storage.condition, storage.mutex)
        continue
      }
      var time = timespec(tv_sec: Int(end), tv_nsec: Int((end - end.rounded(.down)) * 1e9))
      if pthread_cond_timedwait(storage.condition, storage.mutex, &time) == ETIMEDOUT { break }
    }
    guard storage.count.pointee > 0 else { return false }
    storage.count.pointee -= 1
    return true
  }
}
