/// An input or an output of the router: one direction of a device, or any other list of JACK ports that is used like a device.
public struct Port: Equatable, Sendable {
  public let id: PortID
  public var name: String
  /// The colour on surfaces; nil for none.
  public var color: Color?
  public var type: PortType
  /// Patterns for the names of the port's JACK ports. One pattern may stand for several channels.
  public var globs: [PortGlob]
  /// A pattern for the node of its JACK ports, for servers that have a directory of nodes, such as PipeWire; nil for
  /// any node.
  public var node: PortGlob?
  /// Identifies the physical device in all its profiles: its address, its serial number or the server's number for it.
  /// Nil if the server tells none of them.
  public var device: String?
  /// Data sources: other JACK ports that may feed the input, such as several microphones of one device. Inputs only.
  public var sources: [DataSource] = []
  /// The id of the chosen data source; nil leaves the choice to the router.
  public var source: String?
  /// The id of the data source that the mode of a session chooses; nil if there is none. The law keeps it.
  public var sourceOfMode: String?
  /// The outputs that the microphone hears; nil for the loudspeakers of the session's route. Inputs only.
  public var echo: [PortID]?
  /// Whether a preset names the port; otherwise the router found it.
  public var isNamedByPreset = true
  /// Why the router gave the port its type, as a sentence for the operator.
  public var typeReason = "named by the preset"
  /// Number of channels that a preset or the names of its JACK ports give; 0 if only the server knows it.
  public var declaredChannels: Int
  /// Greatest number of channels that the server has shown; 0 if the port was never seen.
  public var seenChannels = 0
  /// The full names of its JACK ports, channel by channel; nil for a channel whose JACK port does not exist now.
  public var members: [String?] = []
  /// Present JACK ports that match the port's names but belong to ports of the preset. Only an output that a guard
  /// names and the preset does not name has such JACK ports.
  public var membersOfOthers: [String] = []
  /// The bridge that makes its JACK ports; nil for a device that the audio server has itself.
  public var bridge: Bridge?
  /// The state of the bridge's program.
  public var bridgeCondition = BridgeCondition.resting
  /// The reason of the program's last failure; nil once its JACK ports were available again.
  public var bridgeFault: String?
  /// Latency in seconds between its JACK ports and the loudspeaker or microphone, as the audio server reports it.
  public var reportedLatency = 0.0
  /// The volume that the desktop's mixer has set for the device; nil if the server knows none.
  public var desktopVolume: DesktopVolume?
  /// Whether the limiter reduced the level lately. Outputs only.
  public var isLimiting = false
  /// Whether sessions move to this port when it arrives; nil until a command or preset sets it (`RouterState.isAutomatic`).
  public var automatic: Bool?
  /// Whether the operator says that the port is plugged in, for a plug that JACK does not see.
  public var isPlugged = true
  /// Number of its last arrival, counted over all ports. The port with the highest number arrived last.
  public var arrival = 0
  /// Whether the port disappeared with the audio server. A port that returns with the server keeps its arrival number.
  public var wentWithServer = false
  /// dB.
  public var gain = Control(0)
  /// Highest gain in dB that a command may set.
  public var maximum: Double = 10
  /// The highest sum in dB of all gains between a source and this output; infinite while there is no limit. Outputs only.
  public var maximumTotal = Double.infinity
  public var isMuted = false
  /// The operator's delay in seconds, 0 to 2. Outputs only.
  public var delay = Control(0)
  /// Name of the group of outputs that are aligned with each other; nil for no group. Outputs only.
  public var alignmentGroup: String?
  /// Seconds that alignment adds to the operator's delay. Outputs only.
  public var alignment = 0.0
  /// The limiter's ceiling in dBFS, -30 to 0. Outputs only.
  public var ceiling = Control(-1)
  /// Lowest level in dB that sessions are ducked to in this output, -60 to 0. Outputs only.
  public var duckLimit = Control(-60)
  /// Dim, mono, swap and balance. Outputs only.
  public var section = OutputSection()
  /// The channels whose polarity is inverted, in order.
  public var inverted: [ChannelNumber] = []
  /// Its effects.
  public var insert = Insert()
  /// Gain in dB before all levels, -18 to 18. Inputs only.
  public var trim = Control(0)
  /// Width of a stereo input: 0 is mono, 1 changes nothing, 2 is twice as wide. Inputs only.
  public var width = Control(1)
  /// Whether and how solos are heard here. Outputs only.
  public var monitor = Monitor()
  /// The meters that it has beside its peaks, each once. Outputs only.
  public var meters: [OutputMeter] = []
  /// How often its meters of programmes have begun anew. Outputs only.
  public var meterResets = 0
  /// Whether the microphone is muted in hardware. Inputs only.
  public var isHardwareMuted = false
  /// AVAudioSession's input gain, an amplitude from 0 to 1, for all sessions that capture from this input. Inputs only.
  public var level = Control(1)
  /// The sessions that have set `level`. If none has, `level` is 1.
  public var levelHolders: [SessionID] = []
  /// Gain and mute of each channel, from channel 1. Inputs only.
  public var channelStrips: [ChannelStrip] = []

  public init(id: PortID, name: String, type: PortType, globs: [PortGlob], channels: Int) {
    (self.id, self.name, self.type, self.globs, declaredChannels) = (id, name, type, globs, channels)
  }

  /// Number of channels: the present channels while the port's JACK ports exist, otherwise the expected number; 0 if
  /// unknown.
  public var channels: Int {
    if isPresent { return members.count }
    return seenChannels > 0 ? seenChannels : declaredChannels
  }

  /// The highest channel that a route may name. The device that is present may lack a channel that a preset declares.
  public var nameableChannels: Int { max(declaredChannels, channels) }

  /// Whether at least one of its JACK ports exists.
  public var isPresent: Bool { members.contains { $0 != nil } }

  /// Whether the port can be used: at least one of its JACK ports exists, and the operator has not unplugged it.
  public var isAvailable: Bool { isPlugged && isPresent }

  /// Latency in seconds from the router to the loudspeaker, or from the microphone to the router: the latency that the server reports, with the
  /// delay and the effects in the router.
  public var latency: Double { latencyWithEffects + heldBack(delay.target) }

  /// Latency in seconds that the server reports, with the effects.
  var latencyWithEffects: Double { reportedLatency + insert.latency }

  /// Seconds by which the router delays the sound: the given delay plus the alignment, at most `longestDelay`.
  public func heldBack(_ delay: Double) -> Double { min(delay + alignment, Self.longestDelay) }

  /// The data source in use: the chosen source, else the source of a session's mode, else the first source if the port
  /// has no JACK ports of its own. Nil if the port's own JACK ports feed it.
  public var currentSource: DataSource? {
    source(named: source) ?? source(named: sourceOfMode) ?? (globs.isEmpty ? sources.first : nil)
  }

  private func source(named id: String?) -> DataSource? {
    id.flatMap { id in sources.first { $0.id == id } }
  }

  /// Patterns for the names of the JACK ports that feed the port now: the ports of its data source, or its own.
  public var memberGlobs: [PortGlob] { currentSource?.globs ?? globs }

  /// One of several sources of an input, such as one microphone of an array. An input uses one of them at a time.
  public struct DataSource: Equatable, Sendable {
    /// A slug, such as `front`.
    public let id: String
    public var globs: [PortGlob]
    /// The modes of sessions that choose the source, unless the operator has chosen one.
    public var modes: [Mode]
    public init(id: String, globs: [PortGlob], modes: [Mode] = []) {
      (self.id, self.globs, self.modes) = (id, globs, modes)
    }
  }

  /// Gain and mute of one channel of an input.
  public struct ChannelStrip: Equatable, Sendable {
    public var gain = Control(0)
    public var isMuted = false
    public init() {}
  }

  /// Longest delay of an output in seconds.
  public static let longestDelay = 2.0
  /// Greatest number of channels of a port.
  public static let maximumChannels = 64
}

/// The direction of a port, seen from the router's operator: inputs record, outputs play.
public enum Direction: String, Sendable {
  case input, output
}
