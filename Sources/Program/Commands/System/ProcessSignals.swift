import SystemCalls

/// The signals that control the process. One thread waits for them; there are no signal handlers.
///
/// Make this value on the main thread before any other thread starts. Threads inherit the blocked signals, so no thread is
/// interrupted. Child processes inherit them, too, so a child must be started with an empty signal mask (`POSIX_SPAWN_SETSIGMASK`).
public struct ProcessSignals: Sendable {
  /// The signals that the process handles.
  public enum Signal: CaseIterable, Sendable {
    /// SIGINT, Ctrl-C.
    case interrupt
    /// SIGTERM
    case terminate
    /// SIGHUP
    case hangUp
    /// SIGUSR1, which the units send for a restart (systemd.kill(5), `RestartKillSignal=`).
    case restart

    fileprivate var number: SignalNumber {
      switch self {
      case .interrupt: .interrupt
      case .terminate: .terminate
      case .hangUp: .hangUp
      case .restart: .firstOfUser
      }
    }
  }

  private let signals: [Signal]

  /// Blocks the signals on the calling thread, so that they stay pending until `next` takes them.
  ///
  /// - Parameter survivingBrokenPipes: ignores SIGPIPE, so that the process goes on if the reader of its output ends.
  public init(_ signals: [Signal] = Signal.allCases, survivingBrokenPipes: Bool = false) {
    self.signals = signals
    System.pthread_sigmask(signals.map(\.number), isBlocked: true)
    if survivingBrokenPipes { System.signal(.brokenPipe, .ignored) }
  }

  /// Waits for the next signal; nil if none comes in time. Without a time the call waits without end.
  public func next(within time: Duration? = nil) -> Signal? {
    let number = System.sigtimedwait(signals.map(\.number), within: time)
    return signals.first { $0.number == number }
  }

  /// Restores the default effect of a signal, so that a second Ctrl-C ends the process at once. Call it on the main thread.
  public func release(_ signal: Signal) {
    System.signal(signal.number, .usual)
    System.pthread_sigmask([signal.number], isBlocked: false)
  }
}
