public import MixKernel
public import Rings
public import SessionModel

/// The structure of the mix: a matrix from source channels to sink channels, and the gain stages on the way.
///
/// A structure is a plain description. The engine compiles it into a plan only when it changes; a change of levels alone costs a copy
/// of the level table. Amplitudes are linear, 1 is 0 dB.
public struct MixStructure: Equatable, Sendable {
  /// Channels that sound comes from: JACK input ports of the router, and channels of rings.
  public var sources: [Source]
  /// Channels that sound goes to: JACK output ports of the router, and channels of rings.
  public var sinks: [Sink]
  /// Rows of the matrix: a source channel after a chain of gain stages. One source may feed several rows, for other taps or streams.
  public var rows: [Row]
  /// The crosspoints that exist. A crosspoint that does not exist is silent and costs nothing.
  public var cells: [Cell]
  /// The outputs, for treatments of all channels of a device together.
  public var outputs: [Output]

  public init(
    sources: [Source] = [], sinks: [Sink] = [], rows: [Row] = [], cells: [Cell] = [],
    outputs: [Output] = []
  ) {
    (self.sources, self.sinks, self.rows) = (sources, sinks, rows)
    (self.cells, self.outputs) = (cells, outputs)
  }

  /// Where a source's samples come from, or where a sink's samples go.
  public enum Endpoint: Hashable, Sendable {
    /// A JACK port. The process callback gives the kernel its buffer.
    case port(PortHandle)
    /// A channel of a ring. The kernel reads or writes the ring itself, and the engine keeps the ring while a plan uses it.
    ///
    /// All channels of a ring advance together, also those that the structure does not name.
    case ring(RingChannel)
  }

  /// A channel that sound comes from.
  public struct Source: Equatable, Sendable {
    public var endpoint: Endpoint
    public init(_ endpoint: Endpoint) { self.endpoint = endpoint }
  }

  /// A channel that sound goes to.
  public struct Sink: Equatable, Sendable {
    /// At most one sink may write a channel of a ring. Channels of the ring that no sink writes are silent.
    public var endpoint: Endpoint
    /// Index into `outputs`, or nil for a session's capture, which has no delay and no limiter.
    public var output: Int?
    /// The gain stages of the whole column, which are multiplied: output gain, mute, gate and panic.
    public var stages: [StageKey]
    public init(_ endpoint: Endpoint, output: Int?, stages: [StageKey]) {
      (self.endpoint, self.output, self.stages) = (endpoint, output, stages)
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
}

/// Delay of an output.
public struct OutputTreatment: Equatable, Sendable {
  /// Delay in frames, from 0 to 2 s. A change crossfades from the old delay to the new one.
  public var delay: Int
  public init(delay: Int = 0) { self.delay = delay }
}

/// Names a gain stage. A stage keeps its present gain from plan to plan as long as a structure uses its key.
public enum StageKey: Hashable, Sendable {
  /// Closed while the session is silent as a whole: inactive, interrupted, or without a source. It comes before all taps.
  case sessionGate(SessionID)
  case sessionMute(SessionID)
  case sessionGain(SessionID)
  /// Opens when a source is connected.
  case streamGate(SessionID, StreamID)
  case streamMute(SessionID, StreamID)
  case streamGain(SessionID, StreamID)
  /// The balance of one channel of a stream (0 left, 1 right).
  case streamPan(SessionID, StreamID, channel: Int)
  /// One crosspoint of a destination or capture; the code that builds the mix numbers them. Each crosspoint fades separately, so that a
  /// change of channels or tap is a crossfade.
  case crosspoint(Int)
  case captureGate(SessionID)
  /// The duck of a session in one output.
  case duck(SessionID, PortID)
  case outputGain(PortID)
  case outputMute(PortID)
  /// Opens when the device is available and connected.
  case outputGate(PortID)
  case inputGain(PortID)
  case inputMute(PortID)
  /// AVAudioSession's input gain, which all sessions share that capture from the input.
  case inputLevel(PortID)
  case inputGate(PortID)
  case inputChannelGain(PortID, channel: Int)
  case inputChannelMute(PortID, channel: Int)
  /// The ceiling of an output's limiter, as an amplitude; not a gain. Samples at or below it pass unchanged, bit for bit.
  case outputCeiling(PortID)
  /// The panic switch, on every output.
  case panic

  /// What sets and dictionaries use in place of `Hasher`: there are thousands of crosspoints, and few other stages.
  public func _rawHashValue(seed: Int) -> Int {
    if case .crosspoint(let number) = self { return QuickHash.value(of: UInt64(number), seed: seed) }
    var hasher = Hasher()
    hasher.combine(seed)
    hash(into: &hasher)
    return hasher.finalize()
  }
}

/// The wanted gain of a stage, and the ramp to it.
public struct StageLevel: Equatable, Sendable {
  /// Wanted amplitude.
  public var target: Float
  /// Amplitude at which a new stage begins; nil begins at the target.
  public var initial: Float?
  public var ramp: Ramp
  /// Number of the last change. A stage starts a ramp whenever this number changes, so that setting the same value again still ends a
  /// fade.
  public var revision: UInt32
  public init(target: Float, initial: Float? = nil, ramp: Ramp, revision: UInt32) {
    (self.target, self.initial, self.ramp, self.revision) = (target, initial, ramp, revision)
  }
}

/// A gradual change from one amplitude to another.
public struct Ramp: Equatable, Sendable {
  /// Curve of a ramp, and what it is used for (docs/law/osc.md#5-ramps-and-fades).
  public enum Shape: UInt8, Sendable, CaseIterable {
    /// Raised cosine in amplitude: gains, mutes, routes, on and off.
    case raisedCosine
    /// Linear in dB, where silence counts as -90 dB: ducks.
    case decibels
    /// The fader moves at constant speed: fades.
    case fader
    /// Linear in amplitude: fades.
    case linear
    /// The fader moves slowly at both ends: fades.
    case sCurve
    /// Raised cosine in power, so that a sound that moves from one output to another keeps its power: recalls.
    case equalPower
  }
  public var shape: Shape
  /// Length in frames, at least 1.
  public var frames: Int
  public init(_ shape: Shape, frames: Int) { (self.shape, self.frames) = (shape, max(1, frames)) }
}
