import SessionModel

/// When a bridge is started, ended and started again: decisions only, without a clock or a process.
///
/// One that ends by itself is started again after 0.5 s, and after twice as long each time that it does not last, up to 30 s.
struct BridgeSupervision {
  /// What is to be done, in this order.
  enum Action: Equatable {
    /// Starts it; what comes of that is told by whoever does it.
    case start(BridgeProgram)
    /// Asks it to end, or kills it.
    case end(isForced: Bool)
    case tell(BridgeCondition)
  }

  private enum Phase: Equatable {
    case resting
    case waiting(until: Double)
    case running(since: Double)
    /// Told to end; killed at a time.
    case ending(killedAt: Double)
  }

  /// Seconds before the first new try.
  static let shortestWait = 0.5
  /// Seconds before each try at last; what has run for as long begins with the shortest wait again.
  static let longestWait = 30.0
  /// Seconds that it may take to end.
  static let patience = 0.5

  private var phase = Phase.resting
  private var program: BridgeProgram?
  private var wait = shortestWait

  /// Whether there is nothing more to do for it.
  var isOver: Bool { phase == .resting && program == nil }

  /// When `elapsed` is due; nil for never.
  var due: Double? {
    switch phase {
    case .resting, .running: nil
    case .waiting(let time), .ending(let time): time.isFinite ? time : nil
    }
  }

  /// Wants another program, or none. The same one goes on as it is, and so does its wait.
  mutating func want(_ program: BridgeProgram?, at now: Double) -> [Action] {
    guard program != self.program else { return [] }
    (self.program, wait) = (program, Self.shortestWait)
    switch phase {
    case .resting, .waiting: return begin(at: now)
    case .running:
      phase = .ending(killedAt: now + Self.patience)
      return [.end(isForced: false)]
    case .ending: return []
    }
  }

  /// It could not be started, or has ended.
  mutating func ended(_ reason: String, at now: Double) -> [Action] {
    guard case .running(let start) = phase else { return begin(at: now) }
    if now - start >= Self.longestWait { wait = Self.shortestWait }
    defer { wait = min(2 * wait, Self.longestWait) }
    phase = .waiting(until: now + wait)
    return [.tell(.failed(reason, retry: wait))]
  }

  /// Time has passed.
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
