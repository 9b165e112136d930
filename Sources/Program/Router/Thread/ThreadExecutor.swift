import Synchronization
import SystemCalls
import Threads

/// Runs an actor on one thread of its own, which the shared pool can neither delay nor starve.
///
/// The pool has as many threads as there are cores, and two blocking jobs stall it on two cores. The thread waits in one place for
/// jobs, posted work, descriptors and the next due time.
public final class ThreadExecutor: SerialExecutor, TaskExecutor, Sendable {
  private let queue = Mutex(Queue())
  private let thread = Mutex<(own: OwnThread?, isJoined: Bool)>((nil, false))
  private let waiting = WaitingRoom()

  private struct Queue: @unchecked Sendable {
    var jobs: [UnownedJob] = []
    var work: [@Sendable () -> Void] = []
    var timers: [Timer] = []
    var routine: Routine?
    /// The work to do when a descriptor becomes readable, by descriptor.
    var watched: [Int32: @Sendable () -> Void] = [:]
    var isStopping = false
    /// Whether the thread runs and looks at the queue before it waits again, so that it need not be woken up.
    var isAwake = true
  }

  private struct Timer {
    let due: Double
    let continuation: UnsafeContinuation<Void, Never>
  }

  /// Work that the thread repeats whenever the work is due.
  public struct Routine: Sendable {
    /// When the work is due, in seconds of `MonotonicTime`; nil for never. The thread asks before each wait.
    let due: @Sendable () -> Double?
    let perform: @Sendable () -> Void

    public init(due: @escaping @Sendable () -> Double?, perform: @escaping @Sendable () -> Void) {
      (self.due, self.perform) = (due, perform)
    }
  }

  /// Greatest number of posted pieces of work before timers and jobs have their turn, so that a flood cannot delay them.
  private static let batch = 32

  /// Starts the thread.
  /// - Parameter name: the name of the thread for the system, at most 15 bytes.
  public init(name: String) {
    let started = OwnThread(name) { self.run() }
    thread.withLock { $0.own = started }
  }

  /// Ends the thread once its jobs are done, and waits for its end. Call this from another thread. A second call does nothing.
  public func stop() {
    change { $0.isStopping = true }
    let running = thread.withLock { thread in
      defer { thread.isJoined = true }
      return thread.isJoined ? nil : thread.own
    }
    running?.join()
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { $0.jobs.append(job) }
  }

  /// Runs `body` on the thread, in the order of the calls. Any thread.
  ///
  /// With `assumeIsolated` this is the fastest way to an actor on this executor: a task that awaits a stream takes twice as long.
  /// - Returns: false if `limit` bodies wait already; then `body` does not run.
  public func post(limit: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    change { queue in
      guard queue.work.count < limit else { return false }
      queue.work.append(body)
      return true
    }
  }

  /// Resumes the caller, which runs on this executor, after some seconds.
  public func sleep(seconds: Double) async {
    let due = MonotonicTime.now + seconds
    await withUnsafeContinuation { continuation in
      change { $0.timers.append(Timer(due: due, continuation: continuation)) }
    }
  }

  /// Sets the work that the thread repeats; nil for none. Any thread.
  public func follow(_ routine: Routine?) { change { $0.routine = routine } }

  /// Runs `body` on the thread each time that a descriptor is readable, until `unwatch`. Any thread.
  public func watch(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    change { $0.watched[descriptor] = body }
    waiting.add(descriptor)
  }

  /// Stops watching a descriptor. Call this before the descriptor is closed. Any thread.
  public func unwatch(_ descriptor: Int32) {
    waiting.remove(descriptor)
    change { $0.watched[descriptor] = nil }
  }

  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the executor's thread")
  }

  public func isIsolatingCurrentContext() -> Bool? { thread.withLock { $0.own?.isCurrent } }

  @discardableResult
  private func change<Result: Sendable>(_ body: (inout sending Queue) -> Result) -> Result {
    var mustWake = false
    let result = queue.withLock { queue in
      defer {
        mustWake = !queue.isAwake
        queue.isAwake = true
      }
      return body(&queue)
    }
    if mustWake { waiting.wake() }
    return result
  }

  // MARK: The thread

  private func run() {
    /// When the routine is due; asked before the last wait.
    var due: Double?
    while true {
      while let (posted, ready, timers) = next() {
        for body in posted { body() }
        for timer in timers { timer.continuation.resume() }
        for job in ready {
          job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        performRoutine(&due)
      }
      if queue.withLock({ $0.isStopping }) { return }
      if let timer = prepareToWait() {
        // Asked only now: a routine that another thread sets from here on wakes this thread.
        due = queue.withLock { $0.routine }?.due()
        let end = [due, timer.due].compactMap(\.self).min()
        for descriptor in waiting.wait(until: end) { queue.withLock { $0.watched[descriptor] }?() }
        queue.withLock { $0.isAwake = true }
      }
      performRoutine(&due)
    }
  }

  /// Removes the next work from the queue and returns it; nil if there is none.
  private func next() -> (work: [@Sendable () -> Void], jobs: [UnownedJob], timers: [Timer])? {
    queue.withLock { queue in
      let now = queue.timers.isEmpty ? 0 : MonotonicTime.now
      let due = queue.timers.filter { $0.due <= now }
      guard !queue.work.isEmpty || !queue.jobs.isEmpty || !due.isEmpty else { return nil }
      queue.timers.removeAll { $0.due <= now }
      let (work, jobs) = (Array(queue.work.prefix(Self.batch)), queue.jobs)
      queue.work.removeFirst(work.count)
      queue.jobs = []
      return (work, jobs, due)
    }
  }

  /// Performs the routine if it is due, and asks it again.
  private func performRoutine(_ due: inout Double?) {
    guard let time = due, time <= MonotonicTime.now, let routine = queue.withLock({ $0.routine }) else {
      return
    }
    routine.perform()
    due = routine.due()
  }

  /// When the first timer is due, or nil without timers; nil instead of a pair if the queue holds work already.
  private func prepareToWait() -> (due: Double?, Void)? {
    queue.withLock { queue in
      guard queue.work.isEmpty, queue.jobs.isEmpty, !queue.isStopping else { return nil }
      queue.isAwake = false
      return (queue.timers.map(\.due).min(), ())
    }
  }
}
