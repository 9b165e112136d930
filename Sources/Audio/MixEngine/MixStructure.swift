public import EffectKernel
public import MediaKernel
public import MixKernel
public import Rings
public import SessionModel
public import VoiceKernel

/// The structure of the mix: a matrix from source channels to sink channels, and the gain stages on the way.
///
/// A structure is a plain description. The engine compiles it into a plan only when it changes; a change of levels alone costs a copy
/// of the level table. Amplitudes are linear, 1 is 0 dB.
public struct MixStructure: Equatable, Sendable {
  /// Channels that sound comes from: JACK input ports of the router, channels of rings, and players.
  public var sources: [Source]
  /// Channels that sound goes to: JACK output ports of the router, channels of rings, and recorders.
  public var sinks: [Sink]
  /// Rows of the matrix: a source channel after a chain of gain stages. One source may feed several rows, for other taps or streams.
  public var rows: [Row]
  /// The crosspoints that exist. A crosspoint that does not exist is silent and costs nothing.
  public var cells: [Cell]
  /// The outputs, for treatments of all channels of a device together.
  public var outputs: [Output]
  /// Sinks that recorders record as they are: after delay, gain and limiter, bit for bit.
  public var copies: [Copy]
  /// Sinks that meters measure as they are, in the same way; telemetry has no power of them.
  public var metered: [Copy]
  /// Sinks that are what voice processings know of the loudspeakers, as they are: after delay, gain and limiter.
  public var loudspeakers: [Loudspeaker]
  /// Sinks that side chains of effects hear as they are, after delay, effects, gain and limiter.
  public var keys: [Key]

  public init(
    sources: [Source] = [], sinks: [Sink] = [], rows: [Row] = [], cells: [Cell] = [],
    outputs: [Output] = [], copies: [Copy] = [], metered: [Copy] = [],
    loudspeakers: [Loudspeaker] = [], keys: [Key] = []
  ) {
    (self.sources, self.sinks, self.rows) = (sources, sinks, rows)
    (self.cells, self.outputs, self.copies) = (cells, outputs, copies)
    (self.metered, self.loudspeakers, self.keys) = (metered, loudspeakers, keys)
  }

  /// Where a source's samples come from, or where a sink's samples go.
  public enum Endpoint: Hashable, Sendable {
    /// A JACK port. The process callback gives the kernel its buffer.
    case port(PortHandle)
    /// A channel of a ring. The kernel reads or writes the ring itself, and the engine keeps the ring while a plan uses it.
    ///
    /// All channels of a ring advance together, also those that the structure does not name.
    case ring(RingChannel)
    /// A channel of a player's decks; for sources alone. The engine keeps the decks while a plan uses them.
    ///
    /// All channels of a player advance together, also those that the structure does not name. Several sources may have one channel. A
    /// player that leaves the structure is cut off, so let it fade out first; when a structure has it again, its newest order begins anew.
    case deck(DeckChannel)
    /// A channel of a recorder's tap; for sinks without an output. The engine keeps the tap while a plan uses it.
    case tap(TapChannel)
    /// A channel of the voice processing of a capture: the processed microphone for a source, the microphone or a loudspeaker for a sink.
    /// The engine keeps the processing while a plan uses it.
    case voice(VoiceChannel)
    /// A channel of a chain of effects: processed sound for a source, the chain's input or that of its side chain for a sink without an output.
    /// A chain has such endpoints, or is the insert of sinks, but not both.
    /// The engine keeps the chain while a plan uses it.
    case effect(EffectChannel)
  }

  /// A channel that sound comes from.
  public struct Source: Equatable, Sendable {
    public var endpoint: Endpoint
    public init(_ endpoint: Endpoint) { self.endpoint = endpoint }
  }

  /// A channel that sound goes to.
  public struct Sink: Equatable, Sendable {
    /// At most one sink, or copy of one, may write a channel of a ring, tap or voice processing. Channels that none writes are silent.
    public var endpoint: Endpoint
    /// Index into `outputs`, or nil for a session's capture or a recorder's tap, which have no delay and no limiter. A loudspeaker's channel of
    /// a voice processing that is a sink has the delay, the ducks and the limiter of the output for which it stands.
    public var output: Int?
    /// The gain stages of the whole column, which are multiplied: output gain, mute, gate and panic.
    public var stages: [StageKey]
    /// A chain of effects behind these gains and before the limiter; nil for none.
    public var insert: Insert?
    public init(_ endpoint: Endpoint, output: Int?, stages: [StageKey], insert: Insert? = nil) {
      (self.endpoint, self.output, self.stages, self.insert) = (endpoint, output, stages, insert)
    }
  }

  /// A chain of effects that a sink goes through. The engine keeps the chain while a plan uses it.
  public struct Insert: Equatable, Sendable {
    /// At most one sink may have a channel of a chain.
    public var store: EffectNodeStore
    /// Counts from 0.
    public var channel: Int
    /// The gain stages behind the chain, which are multiplied.
    public var stages: [StageKey]
    public init(_ store: EffectNodeStore, channel: Int, stages: [StageKey]) {
      (self.store, self.channel, self.stages) = (store, channel, stages)
    }

    public static func == (left: Self, right: Self) -> Bool {
      left.store === right.store && left.channel == right.channel && left.stages == right.stages
    }
  }

  /// A source channel after a chain of gain stages.
  public struct Row: Equatable, Sendable {
    /// Index into `sources`.
    public var source: Int
    /// The gain stages of the whole row, which are multiplied. A row for the tap post has all of them, one for pre or input fewer.
    public var stages: [StageKey]
    /// The session whose duck stages apply, one for each output; nil for a row that is never ducked.
    public var ducked: SessionID?
    public init(source: Int, stages: [StageKey], ducked: SessionID? = nil) {
      (self.source, self.stages, self.ducked) = (source, stages, ducked)
    }
  }

  /// One crosspoint.
  public struct Cell: Equatable, Sendable {
    /// Index into `rows`.
    public var row: Int
    /// Index into `sinks`.
    public var sink: Int
    /// The gain stage of the send; several cells of one send share it.
    public var stage: StageKey
    /// A constant factor, such as 1/sqrt(2) for stereo summed to mono.
    public var scale: Float
    public init(row: Int, sink: Int, stage: StageKey, scale: Float = 1) {
      (self.row, self.sink, self.stage, self.scale) = (row, sink, stage, scale)
    }
  }

  /// An output, whose channels share a delay and a limiter.
  public struct Output: Equatable, Sendable {
    public var id: PortID
    public init(id: PortID) { self.id = id }
  }

  /// A sink that a recorder records, or a meter measures, as it is. If the sink has no buffer in a period, its port being gone, the tap gets what
  /// the port would have got.
  public struct Copy: Equatable, Sendable {
    /// Index into `sinks`.
    public var sink: Int
    /// At most one copy or sink may write a channel of a tap.
    public var tap: TapChannel
    public init(sink: Int, tap: TapChannel) { (self.sink, self.tap) = (sink, tap) }
  }
}

extension MixStructure {
  /// A sink that is a loudspeaker for a voice processing.
  public struct Loudspeaker: Equatable, Sendable {
    /// Index into `sinks`.
    public var sink: Int
    /// At most one copy or sink may write a channel of the loudspeakers.
    public var channel: VoiceChannel
    public init(sink: Int, channel: VoiceChannel) { (self.sink, self.channel) = (sink, channel) }
  }
}

extension MixStructure {
  /// A sink that a side chain hears in the same period. Several may have one channel, which hears their sum.
  public struct Key: Equatable, Sendable {
    /// Index into `sinks`.
    public var sink: Int
    /// A channel of a side chain that no sink writes.
    public var channel: EffectChannel
    /// A constant factor.
    public var share: Float
    public init(sink: Int, channel: EffectChannel, share: Float = 1) {
      (self.sink, self.channel, self.share) = (sink, channel, share)
    }
  }
}

/// Delay of an output.
public struct OutputTreatment: Equatable, Sendable {
  /// Delay in frames, from 0 to 2 s. A change crossfades from the old delay to the new one.
  public var delay: Int
  public init(delay: Int = 0) { self.delay = delay }
}
