/// The whole state of the router: facts from outside, settings of operators and clients, and decisions of the law. The
/// state is a plain value, so that the router can try a bundle of commands on a copy.
public struct RouterState: Equatable, Sendable {
  public var sessions = Registry<SessionID, Session>()
  public var outputs = Registry<PortID, Port>()
  public var inputs = Registry<PortID, Port>()
  public var players = Registry<PlayerID, MediaPlayer>()
  public var recorders = Registry<RecorderID, MediaRecorder>()
  /// The players that have played, latest last. `/remote` reaches the last of them that allows it (`remotePlayer`).
  public var nowPlayingPlayers: [PlayerID] = []
  public var library = LibraryFacts()
  /// DCAs and mute groups.
  public var groups = Registry<GroupID, SoundGroup>()
  /// The targets of the surfaces' strips.
  public var strips = Strips()
  /// What is soloed, and which talkbacks are open.
  public var monitoring = Monitoring()
  /// Guards and maxima of removed sessions and streams.
  public var remembered = RememberedLimits()

  /// The presets, and how recalls are carried out.
  public var presets = PresetStatus()

  /// Ramp time of a change of a gain, mute or route, in seconds, 0.005 to 1.
  public var ramp = Control(0.02)
  /// The curve of fades.
  public var fadeCurve = FadeCurve.fader
  /// Whether the panic switch silences all outputs.
  public var isPanicking = false
  /// Whether all sound passes the effects by.
  public var isBypassingEffects = false
  /// How often somebody has asked to try faulty effects again.
  public var effectRetries = 0
  /// The places with effects of which the router has told.
  public var reportingEffects: [InsertPlace] = []
  /// Whether only admin clients may change anything.
  public var isLocked = false
  /// How many times a second meters are sent, 1 to 50.
  public var meterRate = Control(20)
  public var ducking = DuckingSettings()
  /// Sources of interruptions that are on or ringing, in the order they began.
  public var interruptions = Registry<InterruptionID, Interruption>()
  /// Which sessions calls interrupt.
  public var interruptionScope = InterruptionScope.all
  /// The silent switch, which silences ambient and soloAmbient sessions.
  public var isSilent = false
  /// What a deactivation does while the session's input or output runs.
  public var deactivation = DeactivationConduct.succeeds
  /// The state of the audio server.
  public var server = ServerState()
  /// The name of the preset that comes into force when the audio server starts; nil if none waits.
  public var waitingPreset: String?
  /// The JACK ports of all other clients, in the server's order.
  public var jackPorts: [JackPort] = []
  /// Programs that play at devices past the router and belong to no session, in the order of their names.
  public var directPrograms: [DirectProgram] = []
  /// Programs that hang. The first are those whose outputs the router has disconnected.
  public var hungPrograms: [HungProgram] = []
  /// Exclusive ports whose connections the router has left to other programs.
  public var contestedPorts: [ContestedPort] = []
  /// What is wrong with the router, its devices or its machine.
  public var health = HealthStatus()
  /// The local time of day at the start of the router's time, in seconds since midnight; nil if unknown.
  public var timeOfDayAtStart: Double?
  /// When the audio server last started or returned, in seconds of the router's monotonic time.
  public var resetTime = 0.0
  /// The period in frames that the most recently activated session prefers, a power of two; nil if none has a preference.
  public var preferredPeriod: Int?

  /// Measurements of the audio loop. They change twice a second, without an event.
  public var loop: LoopFacts {
    get { sharedLoop.value }
    set { sharedLoop.value = newValue }
  }
  private var sharedLoop = Shared(LoopFacts())

  /// The sessions that have a job that runs, waits or is interrupted.
  public var processing: [SessionID] = []

  /// The sessions whose voice processing has reported.
  public var reportingVoices: [SessionID] = []

  /// Number of arrivals of ports so far; the port with the highest number arrived last.
  public var arrivals = 0
  /// Number of activations so far; a later ducker ducks an earlier one.
  public var activations = 0
  /// Number of moves of ducks so far.
  public var duckMoves: UInt32 = 0
  /// The "now playing" session: the last non-mixable one of normal class that was activated, or was recommended to resume. It may be
  /// activated in the background.
  public var nowPlaying: SessionID?
  /// The activity after the last event that could change it.
  public private(set) var activity = Activity()

  public init() {}

  /// Whether a preset is being applied. Rules that adjust levels to each other wait for the end of the recall, because
  /// only then are its settings consistent.
  public var isRecalling = false

  /// Computes `activity` anew.
  public mutating func gatherActivity() { activity = Activity(self) }

  /// The ports of one direction.
  public subscript(direction: Direction) -> Registry<PortID, Port> {
    get { direction == .output ? outputs : inputs }
    _modify {
      if direction == .output { yield &outputs } else { yield &inputs }
    }
  }

  /// Whether any output limits the sum of all gains (docs/develop/law/ports.md#7-total-maximum).
  public var hasTotalMaxima: Bool { outputs.contains(where: { (port: Port) in port.maximumTotal.isFinite }) }

  /// Whether sessions move to a port when it arrives ("last in wins"). Ports that the preset names do this, and found ports only if the
  /// preset names no port in this direction.
  public func isAutomatic(_ port: Port, _ direction: Direction) -> Bool {
    port.automatic ?? (port.isNamedByPreset || !self[direction].contains { $0.value.isNamedByPreset })
  }

  /// Greatest number of sessions.
  public static let maximumSessions = 1_000
  /// Greatest number of interruption sources.
  public static let maximumInterruptions = 64
  /// Greatest number of streams in one session.
  public static let maximumStreams = 64
  /// Greatest number of players, and of recorders.
  public static let maximumPlayers = 256
  public static let maximumRecorders = 64
}

/// The audio server as it last reported itself.
public struct ServerState: Equatable, Sendable {
  /// Whether the audio server runs and the router is connected to it.
  public var isRunning = false
  /// The router's name at the server.
  public var clientName = ""
  /// Sample rate in Hz; 0 without a server.
  public var rate = 0
  /// Frames per period; 0 without a server.
  public var period = 0
  /// The greatest number of ports of all clients together; nil if there is no limit, or if it is unknown.
  public var portLimit: Int?
  /// Whether the server runs periods as fast as its clients can, for a program that exports.
  public var isFreewheeling = false
  /// Whether files are rendered without a server, so that audioProcessing sessions are heard.
  public var isOffline = false
  public init() {}
}
