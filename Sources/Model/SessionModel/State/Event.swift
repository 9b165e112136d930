/// Everything that can change the router's state: a command of an operator or a client, or a fact from the audio server.
///
/// Events are plain values. Replaying a log of them gives the same state.
public enum Event: Equatable, Sendable {
  // MARK: Sessions
  case createSession(SessionID, SessionConfiguration)
  case removeSession(SessionID)
  case configure(SessionID, SessionConfiguration)
  /// Activates a session. AVAudioSession allows `notifyingOthers` only on deactivation, so the law refuses it here.
  case activate(SessionID, notifyingOthers: Bool = false)
  case deactivate(SessionID, notifyingOthers: Bool)
  case session(SessionID, SessionSetting)
  /// Records why the law refused an activation, because a refused event changes nothing. The session gets a
  /// recommendation to resume when the obstacle has ended.
  case activationRefused(SessionID)
  /// Renews the lease of a session.
  case alive(SessionID)

  /// A step of the session's processing job.
  case process(SessionID, ProcessEvent)

  // MARK: Interruptions
  case beginInterruption(InterruptionID, InterruptionReason = .default)
  case endInterruption(InterruptionID, shouldResume: Bool = true)
  case ring(InterruptionID, Bool)
  case clearInterruptions
  /// A source that is on interrupts a session again, which an undo has made active.
  case interrupt(SessionID, by: InterruptionID)

  // MARK: Streams and captures
  /// Creates a stream. A `placed` stream goes to the first channels of the session's first output, like a stream
  /// created over OSC.
  case createStream(SessionID, StreamID, channels: Int, placed: Bool)
  case removeStream(SessionID, StreamID)
  case stream(SessionID, StreamID, StreamSetting)
  case destination(SessionID, StreamID, PortID, DestinationSetting)
  case captureSession(SessionID, SessionID, CaptureSetting)
  case captureInput(SessionID, PortID, CaptureSetting)
  /// A row of levels of sessions and settings of streams and captures, accepted or refused as a whole, for recalls of
  /// thousands of settings. The law applies their consequences once, after the last event.
  case row([Event])

  // MARK: Players and recorders
  indirect case player(PlayerID, MediaPlayerEvent)
  indirect case recorder(RecorderID, MediaRecorderEvent)
  /// The music library has changed, or a scan of it has progressed.
  case library(LibraryFacts)

  indirect case group(GroupID, GroupEvent)

  // MARK: Ports and the router
  case port(Direction, PortID, PortSetting)
  case channel(PortID, Int, ChannelSetting)
  case router(RouterSetting)
  /// Sets the delays of outputs that align them with their groups.
  case align([PortID])

  // MARK: Monitoring
  /// Begins or ends a solo.
  case solo(SoloTarget, Bool)
  case clearSolos
  /// Begins or ends the solo of a send in the mix of its output.
  case soloSend(SoloedSend, Bool)
  /// Presses or releases the button of a session's talkback.
  case talkback(SessionID, Bool)
  /// Closes a talkback, latched or not.
  case closeTalkback(SessionID)

  // MARK: Facts from the audio server, from bridges and from the clock
  /// Adds a port that a preset names or that the router found, or redefines an existing port, which keeps its settings.
  indirect case declarePort(Direction, Port)
  /// Removes a found port whose JACK ports now belong to a port that a preset names.
  case forgetPort(Direction, PortID)
  /// The present JACK ports, channel by channel, of each port whose JACK ports have changed.
  case portsPresent([PortPresence])
  /// Whether a program is connected to the session's sources or to its capture.
  case connected(SessionID, Bool)
  /// Whether the programs of a connected session have just vanished.
  case vanishing(SessionID, Bool)
  /// Whether a session's input was above -80 dBFS within the last second.
  case sounding(SessionID, Bool)
  /// Whether a session has been connected and below -80 dBFS for at least a second.
  case quiet(SessionID, Bool)
  /// Why a stream of a connected session with several streams has been silent for at least a second; nil if the stream
  /// is not silent.
  case streamSilence(SessionID, StreamID, StreamSilence?)
  /// Whether a session's signal is above its threshold; false once the signal has stayed below the threshold for the
  /// hold time.
  case signal(SessionID, Bool)
  /// Whether a port is connected to a session's capture.
  case capturing(SessionID, Bool)
  /// `RouterState.nextDeadline` has passed.
  case elapsed
  /// The JACK ports of other programs to which a stream's sources are connected directly, past the router.
  case heardDirectly(SessionID, StreamID, [String])
  /// The JACK ports from which a session's programs receive sound directly, past the router.
  case receivesDirectly(SessionID, [String])
  /// The channels, and the ports of programs, without a counterpart: of a stream, or of the session's capture if the
  /// stream is nil.
  case channelGaps(SessionID, StreamID?, ChannelGaps)
  /// The outputs to which a stream goes although their monitors match its sources, which would be a loop.
  case streamLoops(SessionID, StreamID, [PortID])
  /// The programs that play at devices past the router and belong to no session.
  case directPrograms([DirectProgram])
  /// The programs that hang now.
  case hungPrograms([HungProgram])
  /// The exclusive ports whose connections the router has left to other programs.
  case contestedPorts([ContestedPort])
  /// The volume of a device in the desktop's mixer; nil if the device has none there.
  case desktopVolume(Direction, PortID, DesktopVolume?)
  /// The volumes of the programs that feed a stream, in the desktop's mixer.
  case programVolumes(SessionID, StreamID, [ProgramVolume])
  /// The volumes of the programs that receive a session's capture, in the desktop's mixer.
  case recorderVolumes(SessionID, [ProgramVolume])
  indirect case server(ServerState)
  /// The conditions of health whose sentence has changed; nil for a condition that has ended.
  case health([HealthRule: String?])
  /// The name of the preset that waits for the audio server; nil if none waits.
  case presetWaits(String?)
  indirect case preset(PresetEvent)
  /// A report of a session's voice processing.
  indirect case voiceReported(SessionID, VoiceReport)
  /// A setting of a chain of effects.
  indirect case insert(InsertPlace, InsertSetting)
  /// A report of a chain of effects.
  indirect case effectsReported(InsertPlace, EffectsReport)
  /// All JACK ports that other clients have now.
  case jackPorts([JackPort])
  /// The state of a port's bridge program has changed.
  case bridge(Direction, PortID, BridgeCondition)
  /// The latency in seconds between a port's JACK ports and the loudspeaker or microphone, and whether an output's limiter works.
  case measured(Direction, PortID, latency: Double, isLimiting: Bool = false)
}

extension Event {
  /// Whether the event may share a `row` with others: a session's level, or a setting of a stream or a capture, that neither guards nor total
  /// maxima depend on.
  public var joinsRows: Bool {
    switch self {
    case .session(_, .gain(.set)), .stream(_, _, .never), .stream(_, _, .gain(.set)),
      .destination(_, _, _, .gain(.set)):
      false
    case .session(_, .gain), .stream, .destination, .captureSession, .captureInput, .insert: true
    default: false
    }
  }
}

/// How a level or number changes.
///
/// Fade times are in seconds, 0 or more. A fade follows the router's fade curve. Without a fade the value changes at
/// once, and the sound follows within the router's ramp time.
public enum ControlMove: Equatable, Sendable {
  case set(Double, over: Double = 0)
  /// Ends a fade at the present value.
  case stop
  /// Sets the value, and the value that `/reset` restores, as a preset does.
  case store(Double, over: Double = 0)
  /// Sets only the value that `/reset` restores. The present value stays.
  case remember(Double)
}

/// An operator's setting of a session.
public enum SessionSetting: Equatable, Sendable {
  case name(String)
  case color(Color?)
  case gain(ControlMove)
  case maximum(Double)
  case muted(Bool)
  case policy(SharingPolicy)
  case priority(Priority)
  case foreground(Bool)
  case protected(Bool)
  case notifiesOthers(Bool)
  case outputIO(IOState)
  case inputIO(IOState)
  case permission(RecordPermission)
  case captureExclusive(Bool)
  case ignoresAlerts(Bool)
  case outputMuted(Bool)
  case duckExempt(Bool)
  /// The session's level, attack and release as a ducker; nil for the router's value.
  case duckLevel(ControlMove?)
  case duckAttack(ControlMove?)
  case duckRelease(ControlMove?)
  case activation(Activation)
  case signalThreshold(ControlMove)
  case signalHold(ControlMove)
  case resumption(Resumption)
  case unplug(UnplugConduct)
  case lease(ControlMove)
  /// Seconds on air without sound after which the silence counts as dead air; 0 for never.
  case quietTime(ControlMove)
  case preferredOutput(PortID?)
  case preferredInput(PortID?)
  case portOverride(PortOverride)
  /// Hz; 0 for no preference.
  case preferredRate(Double)
  /// Seconds; 0 for no preference.
  case preferredPeriod(Double)
  case preferredChannels(Direction, Int)
  /// AVAudioSession's gain of the session's input.
  case inputLevel(ControlMove)
  case captureChannels(Int)
  case captureDestinations([ProgramPorts])
  case captureSole(Bool)
  /// Whether the capture contains the inputs of the session's route.
  case captureRoute(Bool)
  /// Whether a part of voice processing is on; nil lets the session's mode decide.
  case voice(VoicePart, Bool?)
  case voiceFallback(VoiceFallback)
  case talkback(TalkbackSetting)
}

/// An operator's setting of a stream.
public enum StreamSetting: Equatable, Sendable {
  case color(Color?)
  case sources([StreamSource])
  case gain(ControlMove)
  case muted(Bool)
  case pan(ControlMove)
  /// The channels whose polarity is inverted.
  case inverted([ChannelNumber])
  case width(ControlMove)
  case exclusive(Bool)
  case loop(Bool)
  case duckExempt(Bool)
  case never([PortID])
  /// Replaces all destinations of the stream. Their levels take the fade time in seconds.
  case route(StreamRoute, over: Double = 0)
}

/// An operator's setting of one destination.
public enum DestinationSetting: Equatable, Sendable {
  case on(Bool)
  case gain(ControlMove)
  case pan(ControlMove)
  case channels(ChannelSelection)
  case tap(Tap)
}

/// An operator's setting of one contribution to a capture.
public enum CaptureSetting: Equatable, Sendable {
  case on(Bool)
  case gain(ControlMove)
}

/// An operator's setting of a port.
public enum PortSetting: Equatable, Sendable {
  case name(String)
  case color(Color?)
  case gain(ControlMove)
  case maximum(Double)
  case muted(Bool)
  /// Whether sessions move to the port when it arrives; nil leaves that to `RouterState.isAutomatic`.
  case automatic(Bool?)
  case plugged(Bool)
  case delay(ControlMove)
  /// Outputs only; nil removes the port from its group.
  case alignmentGroup(String?)
  case ceiling(ControlMove)
  /// dB; infinite for no limit. Outputs only.
  case maximumTotal(Double)
  /// Outputs only.
  case duckLimit(ControlMove)
  case section(SectionSetting)
  /// The channels whose polarity is inverted.
  case inverted([ChannelNumber])
  /// Inputs only.
  case trim(ControlMove)
  case width(ControlMove)
  /// Outputs only.
  case monitor(MonitorSetting)
  /// Outputs only.
  case meters([OutputMeter])
  /// Begins the meters of programmes anew. Outputs only.
  case resetMeters
  /// Inputs only.
  case hardwareMuted(Bool)
  /// Chooses an input's data source by its id; nil leaves the choice to the router.
  case source(String?)
  /// Chooses the outputs that a microphone hears; nil for the loudspeakers of the session's route. Inputs only.
  case echo([PortID]?)
}

/// An operator's setting of the section of an output.
public enum SectionSetting: Equatable, Sendable {
  case dim(Bool)
  /// dB.
  case dimLevel(Double)
  case mono(Bool)
  case swap(Bool)
  case balance(ControlMove)
}

/// An operator's setting of one channel of an input.
public enum ChannelSetting: Equatable, Sendable {
  case gain(ControlMove)
  case muted(Bool)
}

/// An operator's setting of the router itself.
public enum RouterSetting: Equatable, Sendable {
  case ramp(ControlMove)
  case fadeCurve(FadeCurve)
  case panic(Bool)
  case lock(Bool)
  case meterRate(ControlMove)
  case duckLevel(ControlMove)
  case duckAttack(ControlMove)
  case duckRelease(ControlMove)
  case duckScope(DuckScope)
  case interruptionScope(InterruptionScope)
  case silent(Bool)
  case deactivation(DeactivationConduct)
  /// Forgets the worst values of `RouterState.loop`.
  case resetWorst
  case preset(PresetSetting)
  case strips(StripSetting)
  case bypassEffects(Bool)
  /// Tries faulty effects again.
  case retryEffects
  /// Whether the alarm of a health rule is silenced.
  case silence(HealthRule, Bool)
}

/// An assignment of strips, or a move of a bank.
public enum StripSetting: Equatable, Sendable {
  /// The own targets of all strips, by number.
  case all([Int: StripTarget])
  /// The own target of one strip; nil leaves it to its bank.
  case one(Int, StripTarget?)
  /// The number of strips of a bank.
  case size(Int, Int)
  /// Sets what a bank moves over, from the first target on.
  case range(Int, BankRange)
  /// Sets the index of the target of a bank's first strip.
  case place(Int, Int)
  /// Moves a bank by a number of its widths.
  case step(Int, Int)
}

/// The JACK ports that one port has now.
public struct PortPresence: Equatable, Sendable {
  public var direction: Direction
  public var port: PortID
  /// Full JACK names, channel by channel; nil for a channel whose JACK port does not exist now.
  public var members: [String?]
  /// Present JACK ports that match the port's names but belong to ports of the preset.
  public var membersOfOthers: [String]
  /// The physical device (`Port.device`); nil keeps the known device.
  public var device: String?
  public init(
    _ direction: Direction, _ port: PortID, members: [String?], ofOthers membersOfOthers: [String] = [],
    device: String? = nil
  ) {
    (self.direction, self.port, self.members, self.membersOfOthers) = (
      direction, port, members, membersOfOthers
    )
    self.device = device
  }
}
