public import ControlInterface
import Synchronization

/// Reports hosts that the configuration does not list, at most once a minute, with the line that would allow them.
public final class UnlistedHosts: Sendable {
  /// The configuration file; nil if the router was started without one.
  private let file: String?
  private let tell: @Sendable (String) -> Void
  /// The time of the last report.
  private let last = Mutex<Double?>(nil)

  /// Seconds between two reports, so that a network scan cannot fill the log.
  private static let pause = 60.0

  /// - Parameter tell: receives a message for the user on any thread; it must not wait.
  public init(file: String?, tell: @escaping @Sendable (String) -> Void) {
    (self.file, self.tell) = (file, tell)
  }

  /// Notes a packet of an unlisted host. Any thread may call; the call never waits.
  ///
  /// - Parameter time: the present time, in seconds of a clock that never goes back.
  public func note(_ host: HostAddress, at time: Double) {
    let isDue = last.withLock { last in
      guard last.map({ time - $0 >= Self.pause }) ?? true else { return false }
      last = time
      return true
    }
    guard isDue else { return }
    let cure =
      file.map { "add \"hosts\": { \"\(host)\": \"control\" } to \($0), then run: multiroute reload" }
      ?? "start without --config none, and with \"hosts\": { \"\(host)\": \"control\" } in a configuration"
    tell("multiroute: \(host) is not an allowed host, so it gets no answer; to allow it, \(cure)")
  }
}
