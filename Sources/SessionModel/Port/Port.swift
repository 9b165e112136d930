/// One direction of a device, or of any list of JACK ports that is treated as one.
public struct Port: Equatable, Sendable {
  public let id: PortID
  public var name: String
  public var type: PortType
  /// The JACK ports it is made of; a glob may stand for several channels.
  public var globs: [PortGlob]
  /// The node that its JACK ports belong to, where the server has a directory of them (PipeWire); nil for any.
  public var node: PortGlob?
  /// Other JACK ports that may feed it instead, such as the microphones of one device; inputs only.
  public var sources: [DataSource] = []
  /// The chosen data source, by its id; nil leaves the choice to the router.
  public var source: String?
  /// Whether the preset names it, rather than discovery.
  public var isNamedByPreset = true
  /// Why it was taken for its type.
  public var typeReason = "named by the preset"
  /// Number of channels; kept while the port is away, 0 if never known.
  public var channels: Int
  /// The full names of its JACK ports, channel by channel; nil where a channel's port is away.
  public var members: [String?] = []
  /// The program that makes its JACK ports out of something the server does not see; nil for a device of the server.
  public var bridge: Bridge?
  /// What that program does.
  public var bridgeCondition = BridgeCondition.resting
  /// Why that program failed last, if its ports have not been there since.
  public var bridgeFault: String?
  /// Seconds between its JACK ports and the loudspeaker, or the microphone, as the server reports it.
  public var reportedLatency = 0.0
  /// Whether the limiter worked lately; outputs only.
  public var isLimiting = false
  /// Whether it takes part in "last-in"; nil until somebody says so (`RouterState.isAutomatic`).
  public var automatic: Bool?
  /// By hand, for a plug that JACK does not see.
  public var isPlugged = true
  /// When it became available, counted over all ports; newer wins ("last-in").
  public var arrival = 0
  /// Whether it went with the server, and so keeps its arrival if it comes back with it.
  public var wentWithServer = false
  /// dB.
  public var gain = Control(0)
  /// No surface sets the gain above this, dB.
  public var maximum: Double = 10
  public var isMuted = false
  /// Seconds, 0 to 2; outputs only.
  public var delay = Control(0)
  /// Outputs of one group are aligned with each other; nil aligns it with none; outputs only.
  public var alignmentGroup: String?
  /// Seconds that alignment adds to the port's own delay; outputs only.
  public var alignment = 0.0
  /// The limiter's ceiling in dBFS, -30 to 0; outputs only.
  public var ceiling = Control(-1)
  /// No duck goes deeper here: dB, -60 to 0; outputs only.
  public var duckLimit = Control(-60)
  /// The microphone is muted in hardware; inputs only.
  public var isHardwareMuted = false
  /// AVAudioSession's input gain, 0 to 1 in amplitude, of all sessions that capture from it; inputs only.
  public var level = Control(1)
  /// The sessions that have set that level; without any it is 1.
  public var levelHolders: [SessionID] = []
  /// Level and mute of single channels, from channel 1; inputs only.
  public var channelStrips: [ChannelStrip] = []

  public init(id: PortID, name: String, type: PortType, globs: [PortGlob], channels: Int) {
    (self.id, self.name, self.type, self.globs, self.channels) = (id, name, type, globs, channels)
  }

  /// Whether all of it that there was is there: its JACK ports exist and it is plugged.
  public var isAvailable: Bool { isPlugged && members.contains { $0 != nil } }

  /// Seconds from here to the loudspeaker: what the server reports, and what is held back here.
  public var latency: Double { reportedLatency + heldBack(delay.target) }

  /// Seconds that sound is held back in the router: a delay of its own, and alignment; together at most `longestDelay`.
  public func heldBack(_ delay: Double) -> Double { min(delay + alignment, Self.longestDelay) }

  /// The data source in force: the chosen one, or the first if the port has no JACK ports of its own; nil for its own ports.
  public var currentSource: DataSource? {
    sources.first { $0.id == source } ?? (globs.isEmpty ? sources.first : nil)
  }

  /// The JACK ports that feed it now: those of its data source, or its own.
  public var memberGlobs: [PortGlob] { currentSource?.globs ?? globs }

  /// One of several ways into an input, of which one is in force at a time.
  public struct DataSource: Equatable, Sendable {
    /// A slug, such as `front`.
    public let id: String
    public var globs: [PortGlob]
    public init(id: String, globs: [PortGlob]) { (self.id, self.globs) = (id, globs) }
  }

  /// Level and mute of one channel of an input.
  public struct ChannelStrip: Equatable, Sendable {
    public var gain = Control(0)
    public var isMuted = false
    public init() {}
  }

  /// Seconds that an output can hold sound back at most.
  public static let longestDelay = 2.0
  /// Most channels a port may have.
  public static let maximumChannels = 64
}

/// Which way sound goes through a port.
public enum Direction: String, Sendable {
  case input, output
}
