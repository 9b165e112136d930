public import SystemCalls

/// The socket at which systemd hears how a service is: `NOTIFY_SOCKET`, sd_notify(3).
///
/// Any thread may send; sending never waits.
public final class ServiceSocket: Sendable {
  /// What a service says.
  public enum Notice: Equatable, Sendable {
    /// The start is complete.
    case ready
    /// A sentence for `systemctl status`.
    case status(String)
    /// A sign of life.
    case watchdog
    /// The end has begun.
    case stopping

    /// The notice as a line of a datagram, without its end.
    var line: String {
      switch self {
      case .ready: "READY=1"
      // A second line would be another notice.
      case .status(let sentence):
        "STATUS=\(sentence.split(whereSeparator: \.isNewline).joined(separator: " "))"
      case .watchdog: "WATCHDOG=1"
      case .stopping: "STOPPING=1"
      }
    }
  }

  private let descriptor: Int32
  private let address: SocketAddress

  /// - Parameter place: an absolute path, or `@` and an abstract name, as `NOTIFY_SOCKET` has them.
  /// - Throws: `SystemError`, also for a place of another kind.
  public init(_ place: String) throws(SystemError) {
    switch place.first {
    case "@": address = .abstract(name: Array(place.utf8.dropFirst()))
    case "/": address = .unix(path: place)
    default:
      throw SystemError(
        "sd_notify", .invalidArgument, place, reason: "it is neither an absolute path nor an abstract name")
    }
    descriptor = try System.socket(.unix, .datagram, blocks: false)
  }

  deinit { System.close(descriptor) }

  /// Sends notices as one datagram.
  ///
  /// - Returns: false if the manager has no room for it now, or does not listen.
  @discardableResult
  public func send(_ notices: Notice...) -> Bool {
    let bytes = Array(notices.map(\.line).joined(separator: "\n").utf8)
    do throws(SystemError) { try System.sendto(descriptor, bytes, to: address) } catch { return false }
    return true
  }

  /// Seconds within which the manager wants a sign of life; nil if it wants none (sd_watchdog_enabled(3)).
  ///
  /// - Parameters:
  ///   - microseconds: the value of `WATCHDOG_USEC`.
  ///   - process: the value of `WATCHDOG_PID`: the process that is meant; nil for any process.
  public static func watchdogSeconds(_ microseconds: String?, process: String?) -> Double? {
    guard let time = microseconds.flatMap(UInt64.init), time > 0 else { return nil }
    guard process == nil || process == "\(System.getpid())" else { return nil }
    return Double(time) / 1_000_000
  }
}
