public import JackClient
import Synchronization
import Threads

/// Looks for a server for as long as it takes, and becomes its client, on a thread of its own.
///
/// It wakes up when the server's socket appears, and looks once a second all the same, should the server listen elsewhere. A
/// thousand vain tries cost half a second of processor time with jackd's library, two with PipeWire's, and leave nothing behind.
public final class ServerSeeker: Sendable {
  /// Seconds for which a returning client asks for its own name again while the server says that somebody has it.
  private static let namePatience: Double = 2

  /// Carries the find from one thread to the other; nobody else holds it.
  private struct Find: @unchecked Sendable {
    let backend: JackBackend
  }

  private struct Outcome {
    var find: Find?
    var failure: JackError?
  }

  private final class Shared: Sendable {
    let name: String
    let server: String?
    let isReturning: Bool
    let socket: ServerSocket
    let outcome = Mutex(Outcome())
    let isStopping = Atomic<Bool>(false)
    init(_ name: String, _ server: String?, _ isReturning: Bool) {
      (self.name, self.server, self.isReturning) = (name, server, isReturning)
      socket = .ofLibrary(server: server)
    }
  }

  private let shared: Shared
  private let thread: WorkThread

  /// Begins to look. An older client of ours must have been closed before.
  ///
  /// - Parameters:
  ///   - name: wanted client name.
  ///   - server: the server's name, nil for the default one.
  ///   - isReturning: whether the name was ours at the last server: its ghost may have it for a moment and is waited for.
  public init(name: String, server: String?, isReturning: Bool) {
    let shared = Shared(name, server, isReturning)
    self.shared = shared
    thread = WorkThread(name: "mr-seek") { stop in Self.seek(shared, stop) }
  }

  deinit { stop() }

  /// Ends the search, even if the server it found does not answer; a client that nobody took is closed. Repeatable.
  public func stop() {
    shared.isStopping.store(true, ordering: .sequentiallyConsistent)
    thread.stop { shared.socket.stopReading() }
    shared.outcome.withLock { $0.find.take() }?.backend.close()
  }

  /// What the search has come to since the last call; nil if nothing new. It ends with a success, and goes on after failures.
  ///
  /// - Returns: the client, not yet started; or why the last try failed: `noServer`, `nameTooLong`, `versionMismatch`,
  ///   `openFailed`, `callFailed`.
  public func take() -> Result<JackBackend, JackError>? {
    shared.outcome.withLock { outcome in
      if let find = outcome.find.take() { return .success(find.backend) }
      return outcome.failure.take().map { .failure($0) }
    }
  }

  private static func seek(_ shared: Shared, _ stop: Int32) {
    let watch = SocketWatch(shared.socket)
    var nameDeadline: UInt64?
    while !shared.isStopping.load(ordering: .sequentiallyConsistent) {
      do throws(JackError) {
        let backend = try JackBackend(name: shared.name, server: shared.server)
        if shared.isReturning, backend.clientName != shared.name {
          let deadline = nameDeadline ?? JackCalls.time() + UInt64(1e6 * namePatience)
          nameDeadline = deadline
          if JackCalls.time() < deadline {
            backend.close()
            if WorkThread.wait(stop, milliseconds: 20) { return }
            continue
          }
        }
        return shared.outcome.withLock { $0.find = Find(backend: backend) }
      } catch {
        shared.outcome.withLock { $0.failure = error }
      }
      // One that refuses us, or is not ready yet, is asked again; one that is not there is waited for.
      if shared.socket.answers {
        if watch.wait(atMost: 1_000, or: [stop]) { return }
      } else {
        _ = watch.waitForAnswer(seconds: 1, or: [stop])
      }
    }
  }
}
