/// Facts about all active sessions together: which play, record, duck or are calls. One pass over a state gathers them, so that
/// questions about many sessions need no further pass.
public struct Activity: Equatable, Sendable {
  /// Active sessions that do not mix, including calls and alerts.
  public private(set) var nonMixable: [SessionID] = []
  /// The sessions of `nonMixable` that play: primary audio.
  public private(set) var primaries: [SessionID] = []
  /// Number of sessions that play, mixable or not.
  public private(set) var playing = 0
  /// Active record sessions, which silence other sessions.
  public private(set) var recorders: [SessionID] = []
  /// The calls that are on: interruption sources, and active sessions of call class that do not mix.
  public private(set) var calls: [Interrupter] = []
  /// Whether a call is on, mixable or not, or speech recognition is active without recording.
  public private(set) var isTalking = false
  /// Sessions that record speech now.
  public private(set) var dictations: [SessionID] = []
  /// The period in seconds that the most recently activated of all sessions with such a preference prefers; nil if none has one.
  public private(set) var preferredPeriod: Double?
  /// The activation number of that session.
  private var preferringNumber = 0
  /// Active sessions that duck others.
  public private(set) var duckers: [Ducker] = []

  /// A session that ducks others, with the values in force.
  public struct Ducker: Equatable, Sendable {
    public let id: SessionID
    /// Number of the activation by which the session began to duck. A ducker ducks those with lower numbers.
    public let number: Int
    /// Level of ducked sessions in dB.
    public let level: Double
    /// Time to fade down in seconds.
    public let attack: Double
    /// Time to fade up in seconds.
    public let release: Double
    /// The outputs that the ducker is sent to.
    public let outputs: [PortID]
  }

  /// The activity of a state without active sessions.
  public init() {}

  /// Gathers the activity of a state.
  public init(_ state: RouterState) {
    for source in state.interruptions.values where source.isOn {
      calls.append(.source(source.id))
      isTalking = true
    }
    let ducking = state.ducking
    state.sessions.forEachValue { if $0.isActive { add($0, ducking) } }
    duckers.sort { $0.number < $1.number }
  }

  private mutating func add(_ session: Session, _ ducking: DuckingSettings) {
    if session.isPlaying { playing += 1 }
    if session.preferredHardware.period > 0, session.activationNumber > preferringNumber {
      (preferredPeriod, preferringNumber) = (session.preferredHardware.period, session.activationNumber)
    }
    if !session.isMixable {
      nonMixable.append(session.id)
      if session.isPlaying { primaries.append(session.id) }
      if session.priority == .call { calls.append(.session(session.id)) }
    }
    if session.priority == .call { isTalking = true }
    if session.category == .record { recorders.append(session.id) }
    if session.isCaptureExclusive, session.category.hasInput {
      if session.isInputRunning { dictations.append(session.id) } else { isTalking = true }
    }
    // A ducker whose devices are all away is heard nowhere (docs/develop/law/ducking.md#3-duration).
    if session.isDucker, case let outputs = session.sentOutputs, !outputs.isEmpty {
      let own = session.ducker
      duckers.append(
        Ducker(
          id: session.id, number: session.duckingNumber ?? session.activationNumber,
          level: (own.level ?? ducking.level).target, attack: (own.attack ?? ducking.attack).target,
          release: (own.release ?? ducking.release).target, outputs: outputs))
    }
  }

  /// Whether any other session plays, mixable or not (docs/develop/law/hints.md#1-other-audio).
  public func isOtherAudioPlaying(besides session: Session) -> Bool {
    playing > (session.isPlaying ? 1 : 0)
  }

  /// AVAudioSession's secondaryAudioShouldBeSilencedHint: whether another session plays that does not mix (docs/develop/law/hints.md#2-the-silence-hint).
  public func isSecondaryAudioSilenced(for session: SessionID) -> Bool {
    primaries.contains { $0 != session }
  }

  /// AVAudioSession's promptStyle for a session (docs/develop/law/hints.md#3-prompt-style).
  public func promptStyle(for session: SessionID) -> PromptStyle {
    if dictations.contains(where: { $0 != session }) { return .none }
    return isTalking ? .short : .normal
  }

  /// The record session that silences this session; nil if none does. Alerts and protected sessions are never silenced.
  public func recorder(silencing session: Session) -> SessionID? {
    guard session.priority != .alert, !session.isProtected else { return nil }
    return recorders.first { $0 != session.id }
  }
}

extension RouterState {
  /// When the router must send `Event.elapsed` next, in seconds of its time; nil while no lease runs.
  public var nextDeadline: Double? {
    var next: Double?
    sessions.forEachValue { session in
      if let end = session.leaseEnd { next = min(next ?? end, end) }
    }
    return next
  }
}
