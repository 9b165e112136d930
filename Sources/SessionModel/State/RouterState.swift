/// Everything the router knows and wants: a plain value, so that a bundle can be tried on a copy.
public struct RouterState: Equatable, Sendable {
  public var sessions = Registry<SessionID, Session>()
  public var outputs = Registry<PortID, Port>()
  public var inputs = Registry<PortID, Port>()

  /// Seconds a gain, mute, route or on/off change takes, 0.005 to 1.
  public var ramp = Control(0.02)
  /// How fades run.
  public var fadeCurve = FadeCurve.fader
  /// All outputs are down.
  public var isPanicking = false
  /// Only admin may change anything.
  public var isLocked = false
  /// How often meters are sent, 1 to 50 Hz.
  public var meterRate = Control(20)
  public var ducking = Ducking()
  /// Sources of interruptions that are on or ringing, in the order they began.
  public var interruptions = Registry<InterruptionID, Interruption>()
  /// Whether calls interrupt mixable sessions too.
  public var interruptionScope = InterruptionScope.all
  /// The silent switch: ambient and soloAmbient are silenced.
  public var isSilent = false
  /// What deactivating with running I/O does.
  public var deactivation = DeactivationConduct.succeeds
  /// What the audio server is.
  public var server = ServerState()
  /// When the audio server was last back, in seconds of the router's monotonic time.
  public var resetTime = 0.0
  /// Frames per period that the newest active session prefers, a power of two; nil while none does.
  public var wishedPeriod: Int?

  /// Counts arrivals of ports, for "last-in".
  public var arrivals = 0
  /// Counts activations, for "later ducks earlier".
  public var activations = 0
  /// Counts moves of ducks.
  public var duckMoves: UInt32 = 0
  /// The last non-mixable session of normal priority that became active, or was recommended to: it may become active in the
  /// background.
  public var nowPlaying: SessionID?
  /// What the active sessions are to each other, as it was after the last event that can change it.
  public private(set) var activity = Activity()

  public init() {}

  /// Brings `activity` up to date.
  public mutating func gatherActivity() { activity = Activity(self) }

  /// The ports of one direction.
  public subscript(direction: Direction) -> Registry<PortID, Port> {
    get { direction == .output ? outputs : inputs }
    _modify {
      if direction == .output { yield &outputs } else { yield &inputs }
    }
  }

  /// Whether a port takes part in "last-in": those that the preset names do, and found ones only while it names none.
  public func isAutomatic(_ port: Port, _ direction: Direction) -> Bool {
    port.automatic ?? (port.isNamedByPreset || !self[direction].contains { $0.value.isNamedByPreset })
  }

  /// Most sessions there may be.
  public static let maximumSessions = 1_000
  /// Most sources of interruptions.
  public static let maximumInterruptions = 64
  /// Most streams in one session.
  public static let maximumStreams = 64
}

/// What the audio server said last.
public struct ServerState: Equatable, Sendable {
  /// Whether media services are running.
  public var isRunning = false
  /// The name under which the server knows us.
  public var clientName = ""
  /// Frames per second, 0 while lost.
  public var rate = 0
  /// Frames per period, 0 while lost.
  public var period = 0
  /// Files are rendered, without a server: audioProcessing is heard.
  public var isOffline = false
  public init() {}
}
