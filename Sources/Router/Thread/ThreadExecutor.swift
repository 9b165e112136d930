import Glibc
import Threads

/// Runs an actor on one thread of its own, which the shared pool can neither delay nor starve.
///
/// The pool has as many threads as there are cores; two blocking jobs stall it on two cores. Policy must answer a fader all the
/// same, and its JACK calls may block, so it has a thread. Timers are the executor's own for the same reason.
public final class ThreadExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // Guarded by `mutex`; the thread is the only consumer.
  private var jobs: [UnownedJob] = []
  private var work: [@Sendable () -> Void] = []
  private var timers: [Timer] = []
  private var isStopping = false
  /// As much posted work is done before timers and jobs have their turn, so that a flood cannot keep them waiting.
  private static let batch = 32
  private var thread: OwnThread?
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private struct Timer {
    let due: Double
    let continuation: UnsafeContinuation<Void, Never>
  }

  /// Starts the thread.
  /// - Parameter name: what the thread is called in lists, at most 15 bytes.
  public init(name: String) {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    thread = OwnThread(name) { self.run() }
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Ends the thread once its jobs are done. Call it from another thread.
  public func stop() {
    locked { isStopping = true }
    thread?.join()
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    locked { jobs.append(job) }
  }

  /// Runs `body` on the thread, in the order of the calls; false if too much waits already.
  ///
  /// The short way to an actor on this executor, by `assumeIsolated`: a task that awaits a stream takes twice as long.
  public func post(limit: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    var hasRoom = false
    locked {
      hasRoom = work.count < limit
      if hasRoom { work.append(body) }
    }
    return hasRoom
  }

  /// Resumes the caller, who runs on this executor, after some seconds.
  public func sleep(seconds: Double) async {
    let due = MonotonicTime.now + seconds
    await withUnsafeContinuation { continuation in
      locked { timers.append(Timer(due: due, continuation: continuation)) }
    }
  }

  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the executor's thread")
  }

  public func isIsolatingCurrentContext() -> Bool? { thread?.isCurrent }

  private func locked(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_mutex_unlock(mutex)
    // Not before, or the thread would wake up only to wait for the lock.
    pthread_cond_signal(condition)
  }

  private func run() {
    while let (posted, ready, due) = next() {
      for body in posted { body() }
      for timer in due { timer.continuation.resume() }
      for job in ready {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
  }

  /// Waits for work; nil when there will be none any more.
  private func next() -> (work: [@Sendable () -> Void], jobs: [UnownedJob], timers: [Timer])? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      let now = MonotonicTime.now
      let due = timers.filter { $0.due <= now }
      if !work.isEmpty || !jobs.isEmpty || !due.isEmpty {
        timers.removeAll { $0.due <= now }
        defer {
          work.removeFirst(min(work.count, Self.batch))
          jobs = []
        }
        return (Array(work.prefix(Self.batch)), jobs, due)
      }
      if isStopping { return nil }
      if let first = timers.map(\.due).min() {
        var time = timespec(tv_sec: Int(first), tv_nsec: Int((first - first.rounded(.down)) * 1e9))
        pthread_cond_timedwait(condition, mutex, &time)
      } else {
        pthread_cond_wait(condition, mutex)
      }
    }
  }
}
