import Glibc

/// The system's number of a signal (signal(7)).
public struct SignalNumber: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// SIGINT, Ctrl-C.
  public static let interrupt = SignalNumber(rawValue: SIGINT)
  /// SIGTERM
  public static let terminate = SignalNumber(rawValue: SIGTERM)
  /// SIGHUP
  public static let hangUp = SignalNumber(rawValue: SIGHUP)
  /// SIGUSR1
  public static let firstOfUser = SignalNumber(rawValue: SIGUSR1)
  /// SIGKILL
  public static let kill = SignalNumber(rawValue: SIGKILL)
  /// SIGPIPE
  public static let brokenPipe = SignalNumber(rawValue: SIGPIPE)
  /// SIGSTOP
  public static let stop = SignalNumber(rawValue: SIGSTOP)
  /// SIGCONT
  public static let `continue` = SignalNumber(rawValue: SIGCONT)

  /// The effect of a signal on this process.
  public enum Action: Sendable {
    /// The system's default action.
    case usual
    case ignored
  }
}

extension System {
  /// Sets the effect of a signal on this process.
  public static func signal(_ signal: SignalNumber, _ action: SignalNumber.Action) {
    _ = Glibc.signal(signal.rawValue, action == .usual ? SIG_DFL : SIG_IGN)
  }

  /// Blocks signals on the calling thread and on threads that it starts, so that they wait for
  /// `sigtimedwait`; or unblocks them.
  public static func pthread_sigmask(_ signals: [SignalNumber], isBlocked: Bool) {
    var set = set(of: signals)
    _ = Glibc.pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &set, nil)
  }

  /// Waits for one of some blocked signals and takes it; nil when the time is over. Without a time the wait
  /// has no limit.
  public static func sigtimedwait(_ signals: [SignalNumber], within time: Duration? = nil) -> SignalNumber? {
    var set = set(of: signals)
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      let number: Int32
      if let end {
        var rest = timespec(seconds: max(.zero, end - ContinuousClock.now) / .seconds(1))
        number = Glibc.sigtimedwait(&set, nil, &rest)
      } else {
        number = sigwaitinfo(&set, nil)
      }
      if number > 0 { return SignalNumber(rawValue: number) }
      // The continuation of a stopped process also interrupts the call.
      guard errno == EINTR else { return nil }
    }
  }

  private static func set(of signals: [SignalNumber]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.rawValue) }
    return set
  }
}
