/// What the active sessions are to each other: gathered from a state in one pass, for questions about many sessions.
public struct Activity: Equatable, Sendable {
  /// Active sessions that do not mix, with those of call and alert class.
  public private(set) var nonMixable: [SessionID] = []
  /// Those of them that play: primary audio.
  public private(set) var primaries: [SessionID] = []
  /// Number of sessions that play, mixable or not.
  public private(set) var playing = 0
  /// Active record sessions, which silence the others.
  public private(set) var recorders: [SessionID] = []
  /// Who holds the hardware for a call: sources that are on, and active sessions of call class that do not mix.
  public private(set) var calls: [Interrupter] = []
  /// Whether anybody is in a call, mixable or not, or speech recognition is active without recording.
  public private(set) var isTalking = false
  /// Sessions that record speech now.
  public private(set) var dictations: [SessionID] = []
  /// The period that the newest session that wishes for one would like, in seconds; nil without any.
  public private(set) var wishedPeriod: Double?
  /// When that session became active.
  private var wishNumber = 0
  /// Active sessions that duck others.
  public private(set) var duckers: [Ducker] = []

  /// One session that ducks others, with its values in force.
  public struct Ducker: Equatable, Sendable {
    public let id: SessionID
    /// Later ones duck earlier ones.
    public let number: Int
    /// dB.
    public let level: Double
    /// Seconds.
    public let attack: Double
    /// Seconds.
    public let release: Double
    /// Where it is sent.
    public let outputs: [PortID]
  }

  /// Nobody does anything.
  public init() {}

  public init(_ state: RouterState) {
    for source in state.interruptions.values where source.isOn {
      calls.append(.source(source.id))
      isTalking = true
    }
    let ducking = state.ducking
    state.sessions.forEachValue { if $0.isActive { add($0, ducking) } }
    duckers.sort { $0.number < $1.number }
  }

  private mutating func add(_ session: Session, _ ducking: Ducking) {
    if session.isPlaying { playing += 1 }
    if session.wishes.period > 0, session.activationNumber > wishNumber {
      (wishedPeriod, wishNumber) = (session.wishes.period, session.activationNumber)
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
    if session.isDucker {
      let own = session.ducker
      duckers.append(
        Ducker(
          id: session.id, number: session.duckingNumber ?? session.activationNumber,
          level: (own.level ?? ducking.level).target, attack: (own.attack ?? ducking.attack).target,
          release: (own.release ?? ducking.release).target, outputs: session.sentOutputs))
    }
  }

  /// Whether any other session plays, mixable or not (semantics, section 8).
  public func isOtherAudioPlaying(besides session: Session) -> Bool {
    playing > (session.isPlaying ? 1 : 0)
  }

  /// secondaryAudioShouldBeSilencedHint: whether another session that does not mix plays (semantics, section 8).
  public func isSecondaryAudioSilenced(for session: SessionID) -> Bool {
    primaries.contains { $0 != session }
  }

  /// What promptStyle suggests to a session (semantics, section 8).
  public func promptStyle(for session: SessionID) -> PromptStyle {
    if dictations.contains(where: { $0 != session }) { return .none }
    return isTalking ? .short : .normal
  }

  /// The record session that silences another one; nil for those whom Record does not silence.
  public func recorder(silencing session: Session) -> SessionID? {
    guard session.priority != .alert, !session.isProtected else { return nil }
    return recorders.first { $0 != session.id }
  }
}

extension RouterState {
  /// When the policy must look at the time next (`Event.elapsed`), in seconds of the router's time; nil while nothing will become due.
  public var nextDeadline: Double? {
    var next: Double?
    sessions.forEachValue { session in
      if let end = session.leaseEnd { next = min(next ?? end, end) }
    }
    return next
  }
}
