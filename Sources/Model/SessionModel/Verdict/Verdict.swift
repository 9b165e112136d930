/// Whether a session is heard, and if not, what causes this.
public enum Verdict: Equatable, Sendable {
  case heard(at: [PortID])
  /// Heard, but attenuated in at least one of its outputs.
  case ducked(at: [PortID], by: SessionID)
  case interrupted(Displacement)
  case silent(Silence)

  /// Why a session is silent though it is not interrupted.
  public enum Silence: Equatable, Sendable {
    case panic
    case mediaLost
    /// The session is not active; the value says when the router activates it.
    case inactive(Activation)
    /// The session's interruption is over, and the session was not activated again.
    case interruptionOver
    /// The router could not activate the session because of a call or another session.
    case refused(by: Interrupter)
    /// The session's signal must be silent for a while before it may activate the session again.
    case heldBack
    /// No program is connected to the session, and no player of it plays.
    case noSource
    /// The session's category has no output.
    case noOutput(Category)
    /// The session is audioProcessing, which is heard only when files are rendered.
    case onlyOffline
    case noStream
    /// The session's client declared that its output does not run.
    case stopped
    /// The session's category stops in the background.
    case background
    case silentSwitch
    /// An active record session silences this one.
    case recording(by: SessionID)
    /// AVAudioSession's output mute.
    case outputMuted
    /// The operator's mute.
    case muted
    /// The operator's level is off.
    case off
    /// A group silences everything of the session that would be heard, by its mute or by its gain.
    case group(GroupID)
    /// The output that the session waits for has disappeared.
    case outputAbsent(PortID)
    case noOutputAvailable
    /// Inputs alone feed the session, and they let nothing through; the value is one of them.
    case inputClosed(PortID)
    /// The volumes or mutes of the desktop's mixer let nothing through.
    case desktopMixer
    /// Solos replace what is heard at the only outputs that the session reaches.
    case soloed
    /// No stream of the session reaches an available output.
    case unrouted
  }
}

extension RouterState {
  /// Whether a session is heard, ducked, interrupted or silent, and what causes this.
  /// - Parameter activity: that of this state; gather it once for many sessions.
  public func verdict(of session: Session, _ activity: Activity) -> Verdict {
    if let whole = wholeSilence(of: session, activity) { return whole }
    let audible = session.route.outputs.filter { isAudible(session, at: $0) }
    guard !audible.isEmpty else { return .silent(deafness(of: session)) }
    guard let duck = session.ducks.first(where: { $0.isDucked && isDuckHeard(in: session, at: $0.output) }),
      let ducker = duck.ducker
    else { return .heard(at: audible) }
    return .ducked(at: audible, by: ducker)
  }

  /// What silences a session whatever it is sent to; nil if nothing does.
  func wholeSilence(of session: Session, _ activity: Activity) -> Verdict? {
    if isPanicking { return .silent(.panic) }
    guard server.isRunning else { return .silent(.mediaLost) }
    if let displacement = session.displacement { return .interrupted(displacement) }
    guard session.isActive || session.isAwaitingSignal else { return .silent(idleness(of: session)) }
    guard session.category.hasStreams else { return .silent(.noOutput(session.category)) }
    guard !session.streams.isEmpty else { return .silent(.noStream) }
    if session.category == .audioProcessing, !server.isOffline { return .silent(.onlyOffline) }
    guard session.hasSource else { return .silent(.noSource) }
    return hold(on: session, activity).map { .silent($0) }
  }

  /// Whether the policy lets a session's sound through. The operator's mutes and levels are gain stages of their own and do not count
  /// here.
  public func isGateOpen(_ session: Session, _ activity: Activity) -> Bool {
    (session.isActive || session.isAwaitingSignal) && hold(on: session, activity) == nil
  }

  /// Whether the policy lets a session's capture through.
  public func isCaptureOpen(_ session: Session) -> Bool {
    session.isActive && session.category.hasInput && session.inputIO != .stopped
  }

  /// Whether any input of a session's route is open in its capture: the session has permission to record, and the input is not muted
  /// in hardware (docs/develop/law/mutes.md#4-muted-microphones, docs/develop/law/mutes.md#5-record-permission).
  public func isInputOpen(_ session: Session) -> Bool {
    session.route.inputs.contains { isInputOpen(session, from: $0) }
  }

  /// Whether one input is open in a session's capture: the session has permission to record, and the input is not muted in hardware.
  public func isInputOpen(_ session: Session, from input: PortID) -> Bool {
    isCaptureOpen(session) && session.permission == .granted && inputs[input]?.isHardwareMuted != true
  }

  /// The rule that silences a session though it is active or waits for its signal; nil if none does.
  private func hold(on session: Session, _ activity: Activity) -> Verdict.Silence? {
    if session.category == .audioProcessing, !server.isOffline { return .onlyOffline }
    if session.isSuspended { return .background }
    if session.outputIO == .stopped { return .stopped }
    if session.isOutputMuted { return .outputMuted }
    if isSilent, session.category.obeysSilentSwitch, session.priority != .alert { return .silentSwitch }
    return activity.recorder(silencing: session).map { .recording(by: $0) }
  }

  /// Why an inactive session is inactive.
  func idleness(of session: Session) -> Verdict.Silence {
    // A client that asked for the activation got an error, so nothing else tells of the refusal. Only the router's own attempts do.
    if let refusal = session.refusal, session.activation != .manual { return .refused(by: refusal) }
    if session.mayReturn { return .interruptionOver }
    // A session that starts by itself waits for its programs, from the beginning or since they have gone.
    guard session.activation == .manual || session.isConnected else { return .noSource }
    return session.isHeldBack ? .heldBack : .inactive(session.activation)
  }

  /// Why a session that the policy lets through reaches no output.
  func deafness(of session: Session) -> Verdict.Silence {
    if session.isMuted { return .muted }
    if Decibels(session.gain.target).isOff { return .off }
    if let group = silencingGroup(of: session) { return .group(group) }
    if let port = session.awaitedOutput { return .outputAbsent(port) }
    if session.route.outputs.isEmpty { return .noOutputAvailable }
    let isRouted = session.route.outputs.contains { port in
      session.streams.contains { (stream: SessionStream) in reaches(stream, of: session, port) }
    }
    if isRouted, session.route.outputs.contains(where: { isReplaced(session, at: $0) }) { return .soloed }
    if !isRouted, let input = silencingInput(of: session) { return .inputClosed(input) }
    return isRouted ? .desktopMixer : .unrouted
  }

  /// The input that closes the first stream of a session that would reach an output; nil if there is none.
  private func silencingInput(of session: Session) -> PortID? {
    session.streams.values.lazy.filter { stream in
      session.route.outputs.contains { isWayOpen(stream, of: session, $0) }
    }.compactMap(closedInput).first
  }

  /// Whether any stream of a session is heard at an output.
  func isAudible(_ session: Session, at port: PortID) -> Bool {
    session.streams.contains { (stream: SessionStream) in isAudible(stream, of: session, at: port) }
  }

  /// Whether a stream is heard at an output. A send that is tapped before a mute or gain is heard in spite of it.
  func isAudible(_ stream: SessionStream, of session: Session, at port: PortID) -> Bool {
    !isReplaced(port) && !isOutsoloed(session.id, stream.id, at: port) && !isSilentOnDesktop(port)
      && !isSilentOnDesktop(stream)
      && reaches(stream, of: session, port)
  }

  /// Whether solos silence a session at an output.
  private func isReplaced(_ session: Session, at port: PortID) -> Bool {
    isReplaced(port) || session.streams.keys.contains { isOutsoloed(session.id, $0, at: port) }
  }

  /// Whether the router lets a stream through to an output.
  private func reaches(_ stream: SessionStream, of session: Session, _ port: PortID) -> Bool {
    reachesWithoutGroups(stream, of: session, port)
      && silencingGroup(of: stream, in: session, at: port) == nil
  }

  /// Whether the router would let a stream through to an output if no group silenced it.
  func reachesWithoutGroups(_ stream: SessionStream, of session: Session, _ port: PortID) -> Bool {
    isWayOpen(stream, of: session, port) && closedInput(of: stream) == nil
  }

  /// Whether a stream would reach an output if no group and no input silenced it.
  private func isWayOpen(_ stream: SessionStream, of session: Session, _ port: PortID) -> Bool {
    outputs.contains(port) { isWayOpen(stream, of: session, $0) }
  }

  private func isWayOpen(_ stream: SessionStream, of session: Session, _ output: Port) -> Bool {
    guard !output.isMuted, !output.insert.isSilencing, !Decibels(output.gain.target).isOff else {
      return false
    }
    guard let destination = session.destination(of: stream, at: output.id), destination.isOn,
      !Decibels(destination.gain.target).isOff
    else { return false }
    guard
      destination.channels.hasPresentCrosspoint(
        width: stream.channels, channels: output.channels, at: output.id), mayBeFed(stream)
    else { return false }
    let isSilenced = session.isMuted || stream.isMuted
    let isDown = Decibels(session.gain.target).isOff || Decibels(stream.gain.target).isOff
    return switch destination.tap {
    case .input: true
    case .pre: !isSilenced
    case .post: !isSilenced && !isDown
    }
  }

  /// Whether a duck is heard at an output, where other streams may be exempt from it.
  func isDuckHeard(in session: Session, at port: PortID) -> Bool {
    session.route.outputs.contains(port)
      && session.streams.contains { (stream: SessionStream) in
        isAudible(stream, of: session, at: port) && !isExempt(stream, of: session, at: port)
      }
  }

  /// Whether ducks leave a stream alone at an output: by its own setting, or because the send is tapped before them.
  func isExempt(_ stream: SessionStream, of session: Session, at port: PortID) -> Bool {
    stream.isDuckExempt || session.destination(of: stream, at: port)?.tap == .input
  }
}

extension Session {
  /// The destination by which a stream reaches an output. In categories with one output, every stream reaches that output.
  public func destination(of stream: SessionStream, at port: PortID) -> Destination? {
    category == .multiRoute ? stream.destinations[port] : Destination()
  }
}
