import Processes
import Synchronization
import SystemCalls
import Threads

/// Keeps `pw-dump --monitor` running, and follows what it prints, on a thread of its own.
///
/// The program first prints all objects of the server, and then each object that changes. If it ends, it is started again. The
/// system kills it when the thread ends, in whatever way our process ends.
final class DumpMonitor: Sendable {
  /// What the program has told so far.
  struct Findings: Sendable {
    /// The node of each port, by the port's serial number.
    var entries: [UInt64: NodeDump.Entry] = [:]
    /// Number of the last run whose first array is in the entries; 0 before the first one. Runs count from 1.
    var answered = 0
    /// How many runs in a row have ended without an answer.
    var failures = 0
    /// Why the last run without an answer gave none; nil if every run has answered.
    var failure: Failure?
  }

  /// Why a run gave no answer.
  enum Failure: Sendable {
    /// There is no such program. It is not started again.
    case missing
    /// The program could not be started, ended without an answer, or gave none in time.
    case silent
    case unreadable
  }

  private struct State {
    var findings = Findings()
    /// The number of the run that is under way or was the last.
    var run = 0
    /// The lowest number that the next run may have. If a lower one is under way, that run ends.
    var wanted = 1
    /// The number of the last run that must begin without a pause.
    var urgent = 1
    var isEnding = false
    var thread: OwnThread?
  }

  private let state = Mutex(State())
  /// Wakes the thread if `wanted`, `urgent` or `isEnding` has changed.
  private let waker: Int32
  private let program: String
  private let limit: Double
  private let pauses: ClosedRange<Double>
  private let news: @Sendable () -> Void

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up in PATH.
  ///   - limit: seconds in which a run must print its first array.
  ///   - pauses: seconds between two runs: after the first short run, and at most. Each pause is twice as long as the last.
  ///   - news: called on the thread when the findings have changed.
  /// - Throws: `SystemError` if the system cannot make a descriptor or thread now.
  init(
    program: String, limit: Double, pauses: ClosedRange<Double>, news: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    (self.program, self.limit, self.pauses, self.news) = (program, limit, pauses, news)
    waker = try System.eventfd()
    do throws(OwnThread.Failure) {
      let thread = try OwnThread.start("mr-nodes") { self.work() }
      state.withLock { $0.thread = thread }
    } catch {
      throw SystemError("pthread_create", ErrorNumber(rawValue: error.code))
    }
  }

  deinit { System.close(waker) }

  // MARK: Any other thread

  var findings: Findings { state.withLock { $0.findings } }

  /// The number of the run that is under way or was the last.
  var run: Int { state.withLock { $0.run } }

  /// Starts a run with a number of at least `wanted`: ends a run with a lower number, and the pause after it.
  func require(run wanted: Int) {
    let isNew = state.withLock { state in
      defer { state.wanted = max(state.wanted, wanted) }
      return wanted > state.wanted
    }
    if isNew { System.eventfd_write(waker) }
  }

  /// Makes the next run begin without a pause, when the present one has ended.
  func hurry() {
    state.withLock { $0.urgent = $0.run + 1 }
    System.eventfd_write(waker)
  }

  /// Ends the program, and waits for the thread. Call this once, and not from `news`.
  func finish() {
    let thread = state.withLock { state in
      state.isEnding = true
      return state.thread
    }
    System.eventfd_write(waker)
    thread?.join()
  }

  // MARK: The thread

  private func work() {
    var wait = pauses.lowerBound
    while let run = begin() {
      let start = MonotonicTime.now
      let failure = follow(run)
      if let failure { note(failure) }
      if failure == .missing { return }
      if MonotonicTime.now - start > pauses.upperBound { wait = pauses.lowerBound }
      pause(seconds: wait, after: run)
      wait = min(2 * wait, pauses.upperBound)
    }
  }

  /// The number of the next run; nil if there is none.
  private func begin() -> Int? {
    state.withLock { state in
      guard !state.isEnding else { return nil }
      state.run += 1
      return state.run
    }
  }

  /// Whether another run must begin now instead of this one.
  private func isOutdated(_ run: Int) -> Bool { state.withLock { $0.isEnding || run < $0.wanted } }

  private func isUrgent(_ run: Int) -> Bool { state.withLock { run <= $0.urgent } }

  private func pause(seconds: Double, after run: Int) {
    let end = MonotonicTime.now + seconds
    while !isOutdated(run), !isUrgent(run + 1), case let rest = end - MonotonicTime.now, rest > 0 {
      _ = try? System.poll(waker, milliseconds: Int32((rest * 1_000).rounded(.up)))
      System.eventfd_read(waker)
    }
  }

  /// Runs the program until it ends or the run is outdated. Returns why it gave no answer; nil if it did.
  private func follow(_ run: Int) -> Failure? {
    var request = ChildProgram(program, ["--monitor"])
    (request.output, request.endsWithThread) = (.us, true)
    let child: Child
    do throws(SystemError) { child = try Child(request) } catch {
      return [.noSuchFile, .notFolder, .accessDenied].contains(error.number) ? .missing : .silent
    }
    defer { child.kill() }
    var (arrays, dump, hasAnswered) = (DumpArrays(), NodeDump(), false)
    let end = MonotonicTime.now + limit
    while !isOutdated(run) {
      let rest = hasAnswered ? -1 : max(0, (end - MonotonicTime.now) * 1_000).rounded(.up)
      guard let ready = try? System.poll([waker, child.output], milliseconds: Int32(rest)) else { break }
      if ready[0] { System.eventfd_read(waker) }
      if !hasAnswered, MonotonicTime.now >= end { return .silent }
      guard ready[1] else { continue }
      let bytes: [UInt8]
      do throws(SystemError) {
        guard let some = try System.recv(child.output, count: 1 << 16) else { continue }
        bytes = some
      } catch {
        bytes = []
      }
      guard !bytes.isEmpty else {
        return hasAnswered ? nil : arrays.isBetweenArrays ? .silent : .unreadable
      }
      let lists = arrays.receive(bytes)
      guard lists.allSatisfy({ dump.take($0) }), !arrays.isBroken else { return .unreadable }
      guard !lists.isEmpty else { continue }
      hasAnswered = true
      note(dump.entries, of: run)
    }
    return nil
  }

  private func note(_ failure: Failure) {
    state.withLock { state in
      state.findings.failures += 1
      state.findings.failure = failure
    }
    news()
  }

  private func note(_ entries: [UInt64: NodeDump.Entry], of run: Int) {
    let isNews = state.withLock { state in
      defer { (state.findings.entries, state.findings.answered, state.findings.failures) = (entries, run, 0) }
      return state.findings.answered != run || state.findings.entries != entries
    }
    if isNews { news() }
  }
}
