/// What few sessions have. It is behind one reference, which the others do not have either, so that copying a session is cheap.
@usableFromInline struct SessionRarities: Equatable, Sendable {
  @usableFromInline var preferredHardware = PreferredHardware()
  @usableFromInline var directSources: [String] = []
  @usableFromInline var recorderVolumes: [ProgramVolume] = []
  @usableFromInline var voiceReport = VoiceReport()
  @usableFromInline var refusal: Interrupter?
  @usableFromInline var awaitedOutput: PortID?
  @usableFromInline var process: FileProcess?
  @usableFromInline var talkback = Talkback()
}

/// Makes each of them a property of the session.
extension Session {
  /// The hardware values that the session prefers.
  public var preferredHardware: PreferredHardware {
    get { rarities?.value.preferredHardware ?? PreferredHardware() }
    set { if newValue != preferredHardware { change { $0.preferredHardware = newValue } } }
  }
  /// JACK ports of other programs and devices from which the session's programs receive sound, past the router.
  public var directSources: [String] {
    get { rarities?.value.directSources ?? [] }
    set { if newValue != directSources { change { $0.directSources = newValue } } }
  }
  /// The programs that receive the session's capture, with their volumes in the desktop's mixer; empty at a server without such a mixer.
  public var recorderVolumes: [ProgramVolume] {
    get { rarities?.value.recorderVolumes ?? [] }
    set { if newValue != recorderVolumes { change { $0.recorderVolumes = newValue } } }
  }
  /// What the router tells of the session's voice processing.
  public var voiceReport: VoiceReport {
    get { rarities?.value.voiceReport ?? VoiceReport() }
    set { if newValue != voiceReport { change { $0.voiceReport = newValue } } }
  }
  /// The call or session because of which the session's last activation was refused.
  public var refusal: Interrupter? {
    get { rarities?.value.refusal }
    set { if newValue != refusal { change { $0.refusal = newValue } } }
  }
  /// The disappeared output whose return the session waits for (`unplug` wait or interrupt).
  public var awaitedOutput: PortID? {
    get { rarities?.value.awaitedOutput }
    set { if newValue != awaitedOutput { change { $0.awaitedOutput = newValue } } }
  }
  /// The session's last job; nil before the first one.
  public var process: FileProcess? {
    get { rarities?.value.process }
    set { if newValue != process { change { $0.process = newValue } } }
  }
  /// The session's settings as a talkback.
  public var talkback: Talkback {
    get { rarities?.value.talkback ?? Talkback() }
    set { if newValue != talkback { change { $0.talkback = newValue } } }
  }

  /// Changes one of them. The properties do not call it for a value that stays the same, as most values do.
  private mutating func change(_ body: (inout SessionRarities) -> Void) {
    var next = rarities?.value ?? SessionRarities()
    body(&next)
    rarities = next == SessionRarities() ? nil : Shared(next)
  }
}
