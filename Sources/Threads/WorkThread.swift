import Glibc
import Synchronization

/// A thread of our own for work that may wait for a server; it is told to end by a descriptor that becomes readable.
public final class WorkThread: Sendable {
  /// Our end of a pair of sockets: what is shut here is read there as the end, and the other way round.
  private let descriptor: Int32
  private let thread: Mutex<OwnThread?>

  /// Milliseconds after which a thread that has not ended is helped.
  private static let patience: Int32 = 100

  /// Starts it.
  ///
  /// - Parameters:
  ///   - name: as seen in `top -H`, at most 15 bytes.
  ///   - run: returns soon after the descriptor that it gets has become readable.
  public init(name: String, _ run: @escaping @Sendable (_ stop: Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let made = socketpair(AF_UNIX, kind, 0, &ends)
    precondition(made == 0, "no descriptors are left: error \(errno)")
    let stop = ends[1]
    descriptor = ends[0]
    thread = Mutex(
      OwnThread(name) {
        run(stop)
        close(stop)
      })
  }

  deinit {
    stop()
    close(descriptor)
  }

  /// Tells it to end, and waits until it has. Repeatable; never from the thread itself.
  ///
  /// - Parameter unblock: called every moment until it has ended; has what it waits for fail, which it may try again.
  public func stop(_ unblock: () -> Void = {}) {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    shutdown(descriptor, Int32(SHUT_WR))
    while !Self.wait(descriptor, milliseconds: Self.patience) { unblock() }
    thread.join()
  }

  /// Waits on the thread; true if it is to end.
  public static func wait(_ stop: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }
}
