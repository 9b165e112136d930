/// A source with a role: what it is for, who may hear it, and how loud the operator wants it.
///
/// Policy copies sessions by the thousand, so the bulk of what only people set stands behind one reference (`SessionSettings`).
public struct Session: Equatable, Sendable {
  public let id: SessionID
  @usableFromInline var settings: Shared<SessionSettings>
  public var category: Category = .soloAmbient
  public var mode: Mode = .default
  /// The options in force, with implied ones.
  public var options: SessionOptions = []
  /// The options as asked for.
  public var requestedOptions: SessionOptions = []
  public var sharingPolicy: SharingPolicy = .default
  public private(set) var isActive = false
  /// The operator's mute.
  public var isMuted = false
  /// What takes the place of the output that policy chooses, until it ends by itself.
  public var portOverride: PortOverride = .none
  /// Where the session is now; decided by policy.
  public var route = Route()

  // MARK: What it asks of the others, and of the router

  public var priority: Priority = .normal
  /// Counts as in the foreground.
  public var isForeground = true
  /// Calls, alerts, Record and interruptions neither silence nor refuse it; it can still be ducked.
  public var isProtected = false
  /// notifyOthersOnDeactivation, where a deactivation does not say.
  public var notifiesOthers = true
  /// The client's output and input, as declared.
  public var outputIO: IOState = .auto
  public var inputIO: IOState = .auto
  public var permission: RecordPermission = .granted
  /// Its capture is speech recognition.
  public var isCaptureExclusive = false
  /// A ringing call does not interrupt it, an accepted one does.
  public var ignoresAlerts = false
  /// AVAudioSession's output mute, with its rules.
  public var isOutputMuted = false
  /// Never ducked.
  public var isDuckExempt = false
  /// When the router activates the session by itself.
  public var activation: Activation = .manual
  /// What it asks of the hardware; looked at with every change, and so not among the settings.
  public var wishes = HardwareWishes()
  public var resumption: Resumption = .never
  public var unplug: UnplugConduct = .continue

  // MARK: What the world knows of it

  /// Whether some program is connected to it.
  public var isConnected = false
  /// Its input was above -80 dBFS within the last second.
  public var isSounding = false
  /// Its signal is above the threshold, or was within the hold.
  public var isSignalling = false
  /// A port is connected to its capture.
  public var isCapturing = false

  // MARK: What policy decided

  /// The interruption that it is in.
  public var displacement: Displacement?
  /// Its interruption ended, and it has neither become active again nor given up.
  public var mayReturn = false
  /// Who held what its last activation was refused.
  public var refusal: Interrupter?
  /// It may not start by its signal again before that was below the threshold for the hold.
  public var isHeldBack = false
  /// Counts activations, so that later ones are known.
  public var activationNumber = 0
  /// The activation, or change of options, by which it began to duck others; nil while it ducks nobody.
  public var duckingNumber: Int?
  /// Its attenuation by duckers, output by output; an output that is not named is not ducked.
  public var ducks: [Duck] = []
  /// When its lease was last renewed, seconds of the router's time.
  public var leaseStart = 0.0
  /// The output that went, which it waits for (`unplug` wait).
  public var awaitedOutput: PortID?
  /// Whether it was active when the audio server was lost, or shall start with it.
  public var returnsAfterReset = false

  public init(id: SessionID) {
    (self.id, settings) = (id, Shared(SessionSettings(name: id.name)))
  }

  public mutating func setActive(_ active: Bool) { isActive = active }
}

/// What a session's programs receive.
public struct Capture: Equatable, Sendable {
  /// Channels of the capture; 0 when the session has none.
  public var channels = 0
  /// JACK ports that the capture feeds.
  public var destinations: [PortGlob] = []
  /// Other sessions in it: a mix-minus.
  public var sessions = Registry<SessionID, CaptureSend>()
  /// Inputs in it.
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
