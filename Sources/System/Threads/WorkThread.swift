import Synchronization
import SystemCalls

/// A thread for work that may wait for a server. The thread must end when a descriptor becomes readable.
public final class WorkThread: Sendable {
  /// This side's end of a pair of sockets. Shutting one end makes the other end readable, in both directions.
  private let descriptor: Int32
  private let thread: Mutex<OwnThread?>

  /// Milliseconds between two calls of `unblock` while the thread has not ended.
  private static let patience: Int32 = 100

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the name that `top -H` shows, at most 15 bytes.
  ///   - run: the work; it must return soon after the descriptor that it gets has become readable.
  public init(name: String, _ run: @escaping @Sendable (_ stop: Int32) -> Void) {
    let stop: Int32
    do throws(SystemError) { (descriptor, stop) = try System.socketpair() } catch {
      preconditionFailure("no descriptors are left: \(error)")
    }
    thread = Mutex(
      OwnThread(name) {
        run(stop)
        System.close(stop)
      })
  }

  deinit {
    stop()
    System.close(descriptor)
  }

  /// Tells the thread to end and waits until it has ended. Calling it again has no effect. The thread itself must not call it.
  ///
  /// - Parameter unblock: called every 100 ms until the thread has ended. It should make the call fail that the thread waits in; the thread
  ///   may try that call again.
  public func stop(_ unblock: () -> Void = {}) {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    System.shutdown(descriptor, .writing)
    while !Self.wait(descriptor, milliseconds: Self.patience) { unblock() }
    thread.join()
  }

  /// Waits on the thread for the signal to end; true if it came, false after the time.
  public static func wait(_ stop: Int32, milliseconds: Int32) -> Bool {
    (try? System.poll(stop, milliseconds: milliseconds)) ?? false
  }
}
