import CRealtime
import Glibc
import SystemCalls

/// A thread outside Swift's shared pool, for work that may block: blocking a pool thread would stall other tasks.
///
/// Any thread may start one. Call `join()` or `detach()` exactly once.
public struct OwnThread: Sendable {
  /// The system could not make a thread.
  public struct Failure: Error {
    /// The system's error number.
    public var code: Int32
  }

  private let identifier: pthread_t

  /// Starts a thread. If the system cannot make one, the process ends.
  ///
  /// - Parameter name: the name that `top -H` shows, at most 15 bytes.
  public init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(Failure) { self = try Self.start(name, body) } catch {
      fatalError("no thread could be made: error \(error.code)")
    }
  }

  /// Starts a thread.
  ///
  /// - Parameter name: the name that `top -H` shows, at most 15 bytes.
  /// - Throws: `Failure` if the system cannot make one.
  public static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(Failure) -> Self {
    let work = Unmanaged.passRetained(Work(body))
    var identifier = pthread_t()
    let code = pthread_create(&identifier, nil, perform, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw Failure(code: code)
    }
    // The starting thread sets the name, so that the new thread has it when this function returns.
    mr_thread_name(identifier, name)
    return Self(identifier: identifier)
  }

  private init(identifier: pthread_t) { self.identifier = identifier }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool { pthread_equal(pthread_self(), identifier) != 0 }

  /// Gives the calling thread, which a library made, a name for `top -H`, at most 15 bytes.
  public static func name(_ name: String) { mr_thread_name(pthread_self(), name) }

  /// The number of the calling thread in the system, as `/proc/self/task` has it; nil if the system does not tell it.
  public static var number: Int? {
    (try? System.readlink("/proc/thread-self")).flatMap { $0.split(separator: "/").last }.flatMap { Int($0) }
  }

  /// Seconds that the calling thread has run on a processor.
  public static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Gives the calling thread the processor and the disk only while nothing else wants them, for work that has time.
  public static func enterBackground() { mr_thread_background() }

  /// Lets the calling thread run before all ordinary ones (SCHED_FIFO), if the system allows it.
  ///
  /// - Parameter priority: 1 to 99; JACK's clients have 5 or more.
  public static func enterRealtime(priority: Int32) { mr_thread_realtime(priority) }

  /// Waits until the thread has ended. The thread itself must not call it.
  public func join() { pthread_join(identifier, nil) }

  /// Has the calling thread sleep.
  public static func sleep(seconds: Double) {
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    nanosleep(&time, nil)
  }

  /// Lets the thread end by itself; nothing waits for its end.
  public func detach() { pthread_detach(identifier) }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func perform(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
  return nil
}
