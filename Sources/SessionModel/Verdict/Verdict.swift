/// Whether a session is heard, and if not, why and by whom.
public enum Verdict: Equatable, Sendable {
  case heard(at: [PortID])
  /// Heard, but attenuated in at least one of its outputs.
  case ducked(at: [PortID], by: SessionID)
  case interrupted(Displacement)
  case silent(Silence)

  /// Why a session is silent though nobody interrupts it.
  public enum Silence: Equatable, Sendable {
    case panic
    case mediaLost
    /// Not active, and when the router activates it.
    case inactive(Activation)
    /// Its interruption is over, and it was not activated again.
    case interruptionOver
    /// The router could not activate it because of somebody else.
    case refused(by: Interrupter)
    /// By its signal it may start again only after that was silent.
    case heldBack
    /// No program is connected.
    case noSource
    /// Its category has no output.
    case noOutput(Category)
    /// audioProcessing is heard only where files are rendered.
    case onlyOffline
    case noStream
    /// Its client declared that its output does not run.
    case stopped
    /// Its category stops in the background.
    case background
    case silentSwitch
    /// A record session silences everybody.
    case recording(by: SessionID)
    /// AVAudioSession's output mute.
    case outputMuted
    /// The operator's mute.
    case muted
    /// The operator's level is off.
    case off
    /// The output that it waits for has gone.
    case outputAbsent(PortID)
    case noOutputAvailable
    /// Nothing of it reaches an output that is there.
    case unrouted
  }
}

extension RouterState {
  /// Whether a session is heard, ducked, interrupted or silent, why and by whom.
  ///
  /// `activity` is that of this state; who asks about many sessions gathers it once.
  public func verdict(of session: Session, _ activity: Activity) -> Verdict {
    if isPanicking { return .silent(.panic) }
    guard server.isRunning else { return .silent(.mediaLost) }
    if let displacement = session.displacement { return .interrupted(displacement) }
    guard session.isActive || session.isAwaitingSignal else { return .silent(idleness(of: session)) }
    guard session.category.hasStreams else { return .silent(.noOutput(session.category)) }
    guard !session.streams.isEmpty else { return .silent(.noStream) }
    guard session.isConnected else { return .silent(.noSource) }
    if let hold = hold(on: session, activity) { return .silent(hold) }
    let audible = session.route.outputs.filter { isAudible(session, at: $0) }
    guard !audible.isEmpty else { return .silent(deafness(of: session)) }
    guard let duck = session.ducks.first(where: { $0.isDucked && audible.contains($0.output) }),
      let ducker = duck.ducker
    else { return .heard(at: audible) }
    return .ducked(at: audible, by: ducker)
  }

  /// Whether policy lets a session's sound through; mutes and levels of the operator are stages of their own.
  public func isGateOpen(_ session: Session, _ activity: Activity) -> Bool {
    (session.isActive || session.isAwaitingSignal) && hold(on: session, activity) == nil
  }

  /// Whether policy lets a session's capture through.
  public func isCaptureOpen(_ session: Session) -> Bool {
    session.isActive && session.category.hasInput && session.inputIO != .stopped
  }

  /// Whether a hardware input of a session's route is open in its capture: with permission, and not muted in hardware (semantics, sections 3
  /// and 13).
  public func isInputOpen(_ session: Session) -> Bool {
    session.route.inputs.contains { isInputOpen(session, from: $0) }
  }

  /// Whether a hardware input that a session's capture contains is open, likewise.
  public func isInputOpen(_ session: Session, from input: PortID) -> Bool {
    isCaptureOpen(session) && session.permission == .granted && inputs[input]?.isHardwareMuted != true
  }

  /// What policy has against a session that is active, or waits for its signal.
  private func hold(on session: Session, _ activity: Activity) -> Verdict.Silence? {
    if session.category == .audioProcessing, !server.isOffline { return .onlyOffline }
    if session.isSuspended { return .background }
    if session.outputIO == .stopped { return .stopped }
    if session.isOutputMuted { return .outputMuted }
    if isSilent, session.category.obeysSilentSwitch, session.priority != .alert { return .silentSwitch }
    return activity.recorder(silencing: session).map { .recording(by: $0) }
  }

  /// Why a session that is not active is not.
  private func idleness(of session: Session) -> Verdict.Silence {
    // Who asked for it was told; a refused call changes nothing that can be read.
    if let refusal = session.refusal, session.activation != .manual { return .refused(by: refusal) }
    if session.mayReturn { return .interruptionOver }
    // One that starts by itself waits for its programs, at the beginning or since they have gone.
    guard session.activation == .manual || session.isConnected else { return .noSource }
    return session.isHeldBack ? .heldBack : .inactive(session.activation)
  }

  /// Why a session that policy lets through arrives nowhere.
  private func deafness(of session: Session) -> Verdict.Silence {
    if session.isMuted { return .muted }
    if Decibels(session.gain.target).isOff { return .off }
    if let port = session.awaitedOutput { return .outputAbsent(port) }
    return session.route.outputs.isEmpty ? .noOutputAvailable : .unrouted
  }

  /// Whether something of a session arrives at an output; taps before mute or gain are heard in spite of them.
  private func isAudible(_ session: Session, at port: PortID) -> Bool {
    guard let output = outputs[port], !output.isMuted, !Decibels(output.gain.target).isOff else {
      return false
    }
    return session.streams.contains { _, stream in
      let destination = session.category == .multiRoute ? stream.destinations[port] : Destination()
      guard let destination, destination.isOn, !Decibels(destination.gain.target).isOff else { return false }
      let isSilenced = session.isMuted || stream.isMuted
      let isDown = Decibels(session.gain.target).isOff || Decibels(stream.gain.target).isOff
      return switch destination.tap {
      case .input: true
      case .pre: !isSilenced
      case .post: !isSilenced && !isDown
      }
    }
  }
}
