import SessionModel

/// Decides when a bridge's program starts, ends and starts again. It has no clock and no process of its own.
///
/// A program that ends by itself starts again after 0.5 s. The wait doubles after each short run, up to 30 s.
struct BridgeSupervision {
  /// The next actions, in this order.
  enum Action: Equatable {
    /// Starts the program. The caller reports the result.
    case start(BridgeProgram)
    /// Asks the program to end, or kills it.
    case end(isForced: Bool)
    case tell(BridgeCondition)
  }

  private enum Phase: Equatable {
    case resting
    case waiting(until: Double)
    case running(since: Double)
    /// The program was asked to end; at this time it is killed.
    case ending(killedAt: Double)
  }

  /// Seconds before the first restart.
  static let shortestWait = 0.5
  /// The longest wait before a restart, in seconds. A run that lasted as long resets the wait to the
  /// shortest.
  static let longestWait = 30.0

  private var phase = Phase.resting
  private var program: BridgeProgram?
  private var wait = shortestWait

  /// Whether nothing remains to be done for this bridge.
  var isOver: Bool { phase == .resting && program == nil }

  /// The time of the next call of `elapsed`; nil for never.
  var due: Double? {
    switch phase {
    case .resting, .running: nil
    case .waiting(let time), .ending(let time): time.isFinite ? time : nil
    }
  }

  /// Changes the wanted program; nil ends it. An equal program keeps running, and a wait for its restart
  /// continues.
  mutating func want(_ program: BridgeProgram?, at now: Double) -> [Action] {
    guard program != self.program else { return [] }
    (self.program, wait) = (program, Self.shortestWait)
    switch phase {
    case .resting, .waiting: return begin(at: now)
    case .running:
      phase = .ending(killedAt: now + BridgeRunner.patience)
      return [.end(isForced: false)]
    case .ending: return []
    }
  }

  /// The program could not be started, or has ended.
  mutating func ended(_ reason: String, at now: Double) -> [Action] {
    guard case .running(let start) = phase else { return begin(at: now) }
    if now - start >= Self.longestWait { wait = Self.shortestWait }
    defer { wait = min(2 * wait, Self.longestWait) }
    phase = .waiting(until: now + wait)
    return [.tell(.failed(reason, retry: wait))]
  }

  /// The time `due` has come.
  mutating func elapsed(at now: Double) -> [Action] {
    switch phase {
    case .waiting(let time) where time <= now: return begin(at: now)
    case .ending(let time) where time <= now:
      phase = .ending(killedAt: .infinity)
      return [.end(isForced: true)]
    default: return []
    }
  }

  private mutating func begin(at now: Double) -> [Action] {
    guard let program else {
      phase = .resting
      return [.tell(.resting)]
    }
    phase = .running(since: now)
    return [.start(program)]
  }
}
