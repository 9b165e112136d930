/// One or more programs with a role, such as the show or the phone: their purpose, their outputs and inputs, and the operator's levels.
///
/// The policy copies thousands of sessions. So one reference holds the settings that only operators and presets change
/// (`SessionSettings`), and another holds the values that few sessions have (`SessionRarities`).
public struct Session: Equatable, Sendable {
  public let id: SessionID
  @usableFromInline var settings: Shared<SessionSettings>
  /// Nil while the session has none of these values.
  @usableFromInline var rarities: Shared<SessionRarities>?
  public var category: Category = .soloAmbient
  public var mode: Mode = .default
  /// The options in force, with those that the mode or other options imply.
  public var options: SessionOptions = []
  /// The options that the client or operator requested.
  public var requestedOptions: SessionOptions = []
  public var sharingPolicy: SharingPolicy = .default
  public private(set) var isActive = false
  /// The operator's mute.
  public var isMuted = false
  /// Replaces the route that the policy chooses, until the override ends by itself.
  public var portOverride: PortOverride = .none
  /// The ports that the session uses now, as the policy decided.
  public var route = Route()

  // MARK: Behaviour that the client or operator chooses

  public var priority: Priority = .normal
  /// Whether the session's app is in the foreground.
  public var isForeground = true
  /// Whether calls, alerts, record sessions and interruptions leave this session alone. It can still be ducked.
  public var isProtected = false
  /// AVAudioSession's notifyOthersOnDeactivation, for deactivations that do not say it.
  public var notifiesOthers = true
  /// Whether the client's output and input run, as the client declared.
  public var outputIO: IOState = .auto
  public var inputIO: IOState = .auto
  public var permission: RecordPermission = .granted
  /// Whether the session's capture is for speech recognition, so that other sessions should speak no prompts.
  public var isCaptureExclusive = false
  /// Whether a ringing call leaves the session alone; an accepted call interrupts it all the same.
  public var ignoresAlerts = false
  /// AVAudioSession's output mute, which not every category and mode allows.
  public var isOutputMuted = false
  /// Whether no ducker ducks this session.
  public var isDuckExempt = false
  /// When the router activates the session by itself.
  public var activation = SessionDefaults.ofPrograms.activation
  public var resumption = SessionDefaults.ofPrograms.resumption
  public var unplug = SessionDefaults.ofPrograms.unplug

  // MARK: Facts from the audio server

  /// Whether a program is connected to the session.
  public var isConnected = false
  /// Whether the session counts as connected although its programs have just vanished: others may follow within a second.
  public var isVanishing = false
  /// Whether the session's input was above -80 dBFS within the last second.
  public var isSounding = false
  /// Whether the session has been connected and below -80 dBFS for at least a second.
  public var isQuiet = false
  /// Whether the session's signal is above the threshold, or was so within the hold time.
  public var isSignalling = false
  /// Whether a port is connected to the session's capture.
  public var isCapturing = false
  /// Number of players that play into the session now. The law keeps it.
  public var runningPlayers = 0
  /// Number of recorders that record an input by the session's permission now. The law keeps it.
  public var runningRecorders = 0

  // MARK: Decisions of the policy

  /// The interruption that the session is in; nil if it is in none.
  public var displacement: Displacement?
  /// When the session was interrupted last, in seconds of the router's time.
  public var interruptionStart = 0.0
  /// Whether the session's interruption has ended and the session was neither activated nor deactivated since.
  public var mayReturn = false
  /// Whether the signal must first stay below the threshold for the hold time before it may start the session again.
  public var isHeldBack = false
  /// Number of the session's last activation; later activations have higher numbers.
  public var activationNumber = 0
  /// Number of the activation, or of the change of options, by which the session began to duck others; nil while it ducks none.
  public var duckingNumber: Int?
  /// The session's ducks, one for each output; the session is not ducked in an output without an entry.
  public var ducks: [Duck] = []
  /// When the session's lease was last renewed, in seconds of the router's time.
  public var leaseStart = 0.0
  /// Whether the session was active when the audio server was lost, or must start with the server.
  public var returnsAfterReset = false

  public init(id: SessionID) {
    (self.id, settings) = (id, Shared(SessionSettings(name: id.name)))
  }

  public mutating func setActive(_ active: Bool) { isActive = active }
}

/// The sound that a session's programs receive.
public struct Capture: Equatable, Sendable {
  /// Number of channels; 0 if the session has no capture.
  public var channels = 0
  /// JACK ports that the capture is connected to.
  public var destinations: [ProgramPorts] = []
  /// The channels that feed no program, and the ports of its programs that no channel feeds.
  public var gaps = ChannelGaps()
  /// Whether the router disconnects the ports in `destinations` from all other programs and devices.
  public var isSole = false
  /// Whether the capture contains the inputs of the session's route that have no send of their own.
  public var containsRoute = true
  /// Its effects.
  public var insert = Insert()
  /// Other sessions that the capture contains: a mix-minus.
  public var sessions = Registry<SessionID, CaptureSend>()
  /// Inputs that the capture contains.
  public var inputs = Registry<PortID, CaptureSend>()

  public init() {}
}

/// One contribution to a capture.
public struct CaptureSend: Equatable, Sendable {
  public var isOn: Bool
  /// dB.
  public var gain: Control
  public init(isOn: Bool = true, gain: Double = 0) { (self.isOn, self.gain) = (isOn, Control(gain)) }
}
