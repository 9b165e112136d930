import Synchronization
import SystemCalls
import Threads

/// Keeps libjack's notification thread inside a callback of ours while another thread removes a port.
///
/// jackd2 1.9.21 erases a port from the list of its client (`JackClient::PortUnRegister`) without a lock. The
/// notification thread walks that list for each change of latencies (`JackClient::HandleLatencyCallback`),
/// which any client can cause at any moment. If both happen at once, the process crashes.
final class NoticePause: Sendable {
  private let requested = Mutex<Hold?>(nil)

  /// Does `work` while the notification thread is held. Not for the notification thread.
  ///
  /// - Parameter request: has the server send a notice whose callback calls `holdIfRequested`; returns whether
  ///   the server will send it.
  /// - Returns: whether the notification thread was held.
  func duringPause(request: () -> Bool, _ work: () -> Void) -> Bool {
    let hold = Hold()
    requested.withLock { $0 = hold }
    let isHeld = request() && hold.waitUntilHeld()
    requested.withLock { $0 = nil }
    hold.release(after: work)
    return isHeld
  }

  /// Called by the notification thread: returns once the work of a request is done, at once without one.
  func holdIfRequested() { requested.withLock { $0 }?.wait() }
}

/// One pause of the notification thread.
private final class Hold: Sendable {
  private let held = Semaphore()
  private let released = Semaphore()
  private let isWorking = Atomic<Bool>(false)
  /// The path of the working thread in `/proc`, as `PROCESS/task/THREAD`.
  private let worker = (try? System.readlink("/proc/thread-self")) ?? "self"

  /// A live server sends the notice at once. The limit is for a server that dies meanwhile.
  func waitUntilHeld() -> Bool { held.wait(seconds: 2) }

  func release(after work: () -> Void) {
    isWorking.store(true, ordering: .releasing)
    work()
    released.signal()
  }

  /// Waits for the release.
  ///
  /// A server that waits for this thread cannot answer the working thread. The working thread has then erased
  /// the port already, because that comes before its wait for the answer; so the hold ends.
  func wait() {
    held.signal()
    while !released.wait(seconds: 0.002) {
      if isWorking.load(ordering: .acquiring), isWorkerAsleep { return }
    }
  }

  /// Whether the working thread waits in the system (`proc_pid_stat(5)`, the field after the name).
  private var isWorkerAsleep: Bool {
    guard let line = WholeFile.lines("/proc/\(worker)/stat").first, let end = line.lastIndex(of: ")") else {
      return true
    }
    return line[end...].dropFirst(2).first != "R"
  }
}
