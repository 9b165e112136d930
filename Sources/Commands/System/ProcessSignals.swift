import Glibc

/// The signals that steer the process, taken one by one by a thread that waits for them instead of by handlers.
///
/// Make it on the main thread before any other thread: threads inherit that the signals are blocked, and so none of them is
/// ever interrupted. Child processes inherit it too; who starts one gives it an empty signal mask (`POSIX_SPAWN_SETSIGMASK`).
public struct ProcessSignals: Sendable {
  /// What a person or the system wants.
  public enum Signal: CaseIterable, Sendable {
    /// SIGINT, Ctrl-C.
    case interrupt
    /// SIGTERM
    case terminate
    /// SIGHUP
    case hangUp

    fileprivate var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      }
    }
  }

  private let signals: [Signal]

  /// Blocks the signals on the calling thread, so that they wait to be taken.
  ///
  /// With `survivingBrokenPipes` a reader of our output that goes away does not end the process.
  public init(_ signals: [Signal] = Signal.allCases, survivingBrokenPipes: Bool = false) {
    self.signals = signals
    var set = Self.set(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    if survivingBrokenPipes { signal(SIGPIPE, SIG_IGN) }
  }

  /// Waits for the next signal; nil when the time is over. Without a time it waits for ever.
  public func next(within time: Duration? = nil) -> Signal? {
    var set = Self.set(of: signals)
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      let number: Int32
      if let end {
        var remaining = timespec(max(.zero, end - ContinuousClock.now))
        number = sigtimedwait(&set, nil, &remaining)
      } else {
        number = sigwaitinfo(&set, nil)
      }
      if let signal = signals.first(where: { $0.number == number }) { return signal }
      // Stopped and continued, the system returns early.
      guard number < 0, errno == EINTR else { return nil }
    }
  }

  /// Gives a signal back its usual effect, so that a second Ctrl-C ends the process at once. Call it on the main thread.
  public func release(_ signal: Signal) {
    Glibc.signal(signal.number, SIG_DFL)
    var set = Self.set(of: [signal])
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func set(of signals: [Signal]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.number) }
    return set
  }
}

extension timespec {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
