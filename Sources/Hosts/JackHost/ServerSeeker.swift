public import JackClient
import Synchronization
import Threads

/// Looks for a server without a time limit and becomes its client, on a thread of its own.
///
/// It wakes when the server's socket appears. If the library also looks elsewhere for servers, it tries once a second. Otherwise it calls the
/// library only while a server listens, because each attempt of jackd's library opens the metadata of all servers of the user: if a
/// server that ends removes these files at the same moment, the program may end with a bus error (seen with jackd 1.9.21).
///
/// A thousand failed attempts take half a second of processor time with jackd's library and two with PipeWire's; they leak nothing.
public final class ServerSeeker: Sendable {
  /// The client's past at the server that it joins.
  public enum Visit: Sendable {
    case first
    /// The client lost the last server. The server may keep its name for a moment, and the search then waits.
    case afterLoss
    /// The client has left a server that lives on. Its name is treated as after a loss.
    case anew
  }

  /// Seconds for which a returning client asks for its old name while the server says that the name is taken.
  private static let namePatience: Double = 2

  /// Milliseconds for which a client waits for the end of the server that it lost. A server that ends still listens for a moment.
  private static let farewell: Int32 = 100

  /// Passes the backend from one thread to the other; no other code holds it.
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
    let visit: Visit
    let socket: ServerSocket
    let outcome = Mutex(Outcome())
    let isStopping = Atomic<Bool>(false)
    let wake: @Sendable () -> Void
    init(_ name: String, _ server: String?, _ visit: Visit, _ wake: @escaping @Sendable () -> Void) {
      (self.name, self.server, self.visit, self.wake) = (name, server, visit, wake)
      socket = .ofLibrary(server: server)
    }
  }

  private let shared: Shared
  private let thread: WorkThread

  /// Starts the search. Close any older client of ours first.
  ///
  /// - Parameters:
  ///   - name: wanted client name.
  ///   - server: the server's name, nil for the default one.
  ///   - wake: called on the search's thread when `take` has a result.
  public init(
    name: String, server: String?, visit: Visit, wake: @escaping @Sendable () -> Void = {}
  ) {
    let shared = Shared(name, server, visit, wake)
    self.shared = shared
    thread = WorkThread(name: "mr-seek") { stop in Self.seek(shared, stop) }
  }

  deinit { stop() }

  /// Ends the search, even while the server it found does not answer. Closes a client that was not taken.
  /// Calling it again has no effect.
  public func stop() {
    shared.isStopping.store(true, ordering: .sequentiallyConsistent)
    thread.stop { shared.socket.stopReading() }
    shared.outcome.withLock { $0.find.take() }?.backend.close()
  }

  /// The result of the search since the last call; nil if there is none. Success ends the search; failure
  /// does not.
  ///
  /// - Returns: the client, not yet started; or the error of the last attempt: `noServer`, `nameTooLong`,
  ///   `versionMismatch`, `openFailed`, `callFailed`.
  public func take() -> Result<JackBackend, JackError>? {
    shared.outcome.withLock { outcome in
      if let find = outcome.find.take() { return .success(find.backend) }
      return outcome.failure.take().map { .failure($0) }
    }
  }

  private static func seek(_ shared: Shared, _ stop: Int32) {
    let watch = SocketWatch(shared.socket)
    var nameDeadline: UInt64?
    if shared.visit == .afterLoss { _ = shared.socket.connection()?.waitForEnd(milliseconds: farewell) }
    while !shared.isStopping.load(ordering: .sequentiallyConsistent) {
      if ServerSocket.isTheOnlyPlace, !shared.socket.answers {
        shared.outcome.withLock { $0.failure = .noServer(shared.server) }
        shared.wake()
        _ = watch.waitForAnswer(seconds: 1, or: [stop])
        continue
      }
      do throws(JackError) {
        let backend = try JackBackend(name: shared.name, server: shared.server)
        if shared.visit != .first, backend.clientName != shared.name {
          let deadline = nameDeadline ?? JackCalls.time() + UInt64(1e6 * namePatience)
          nameDeadline = deadline
          if JackCalls.time() < deadline {
            backend.close()
            if WorkThread.wait(stop, milliseconds: 20) { return }
            continue
          }
        }
        shared.outcome.withLock { $0.find = Find(backend: backend) }
        return shared.wake()
      } catch {
        shared.outcome.withLock { $0.failure = error }
        shared.wake()
      }
      // Ask a server again that refuses or is not ready. Wait for one that does not exist.
      if shared.socket.answers {
        if watch.wait(atMost: 1_000, or: [stop]) { return }
      } else {
        _ = watch.waitForAnswer(seconds: 1, or: [stop])
      }
    }
  }
}
