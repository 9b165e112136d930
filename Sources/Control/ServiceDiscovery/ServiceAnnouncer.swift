import ControlInterface
import Synchronization
import SystemCalls
import Threads

/// Announces the ports of a router on the network, so that programs find them by its name (docs/develop/decisions/avahi.md).
///
/// Its thread `mr-mdns` sleeps while nothing happens, and alone waits for the daemon.
public final class ServiceAnnouncer: Sendable {
  private let loop: AvahiLoop
  private let thread: Mutex<OwnThread?>
  private let end = Semaphore()

  /// Seconds that `stop` waits for a daemon that does not answer.
  private static let patience = 0.2

  /// Starts to announce, now and whenever a daemon comes. Nil if no service is open to the network; then nothing is loaded.
  ///
  /// - Parameters:
  ///   - name: the router's name. If the network has it already, the router gets a similar one.
  ///   - services: those at loopback are left out.
  ///   - tell: takes a line for the log on the thread, without waiting.
  public init?(
    name: String, version: String, _ services: [NetworkService], tell: @escaping @Sendable (String) -> Void
  ) {
    let open = services.filter { !$0.host.isLoopback }
    guard !open.isEmpty else { return nil }
    do throws(DynamicLibrary.Missing) { loop = try AvahiLoop() } catch {
      tell("the router is not announced on the network: \(error)")
      return nil
    }
    let worker = AnnouncerWorker(loop, name: name, version: version, open, tell: tell)
    thread = Mutex(
      OwnThread("mr-mdns") { [end] in
        worker.run()
        end.signal()
      })
  }

  deinit { stop() }

  /// Withdraws the services. If the daemon does not answer, its thread is left behind. Calling it again has no effect.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    loop.end()
    if end.wait(seconds: Self.patience) { thread.join() } else { thread.detach() }
  }
}
