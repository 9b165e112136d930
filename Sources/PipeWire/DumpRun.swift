import Glibc
import Spawn
import Synchronization
import Threads

/// One run of `pw-dump`, on a thread of its own, with a time limit.
final class DumpRun: Sendable {
  /// How a run ended.
  enum Outcome: Sendable {
    case answered([UInt8])
    /// The program could not be started.
    case missing
    /// It ended without an answer, or gave none in time.
    case failed
  }

  private let state = Mutex(State())
  private let program: String
  private let seconds: Double
  private let done: @Sendable (Outcome) -> Void

  private struct State {
    var thread: OwnThread?
    var child: pid_t?
    var isCancelled = false
  }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up in PATH.
  ///   - seconds: after which it is ended.
  ///   - done: called on the run's thread, unless the run was cancelled.
  init(program: String, seconds: Double, done: @escaping @Sendable (Outcome) -> Void) {
    (self.program, self.seconds, self.done) = (program, seconds, done)
    do throws(OwnThread.Failure) {
      let thread = try OwnThread.start("mr-nodes") { self.run() }
      state.withLock { $0.thread = thread }
    } catch {
      done(.failed)
    }
  }

  /// Ends the program if it still runs, and waits for the thread. Call it once, and not from `done`.
  func finish() {
    let thread = state.withLock { state in
      state.isCancelled = true
      if let child = state.child { kill(child, SIGKILL) }
      return state.thread
    }
    thread?.join()
  }

  private func run() {
    let outcome = ask()
    if !state.withLock({ $0.isCancelled }) { done(outcome) }
  }

  private func ask() -> Outcome {
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nowhere) }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard nowhere >= 0, socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return .failed }
    defer { close(ends[0]) }
    let spawned = state.withLock { state -> Result<pid_t, ChildSpawn.Failure>? in
      guard !state.isCancelled else { return nil }
      let result = ChildSpawn(
        path: program, arguments: [program], input: nowhere, output: ends[1], error: nowhere
      ).start()
      state.child = try? result.get()
      return result
    }
    close(ends[1])
    guard case .success(let child)? = spawned else { return spawned == nil ? .failed : .missing }
    let bytes = read(ends[0])
    // Under the lock, so that nobody ends a child that has a number no more. One that has closed its output has no more to say.
    state.withLock { state in
      kill(child, SIGKILL)
      while waitpid(child, nil, 0) < 0, errno == EINTR {}
      state.child = nil
    }
    guard let bytes, !bytes.isEmpty else { return .failed }
    return .answered(bytes)
  }

  /// Everything that comes; nil if it does not end in time.
  private func read(_ descriptor: Int32) -> [UInt8]? {
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    let end = MonotonicTime.now + seconds
    while bytes.count <= NodeDump.sizeLimit {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let patience = Int32(max(0, (end - MonotonicTime.now) * 1_000).rounded(.up))
      let ready = poll(&wanted, 1, patience)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
    return nil
  }
}
