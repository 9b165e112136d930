/// What the audio thread shall do: one matrix from every source channel to every sink channel, and the gain stages on the way.
///
/// A mix is a plain description. The engine compiles its structure into a plan only when the structure changes; a change of
/// levels alone costs a copy of the level table. Amplitudes are linear, 1 is 0 dB.
public struct MixStructure: Equatable, Sendable {
  /// Channels that sound comes from: one JACK input port of ours each.
  public var sources: [Source]
  /// Channels that sound goes to: one JACK output port of ours each.
  public var sinks: [Sink]
  /// Rows of the matrix: a source channel seen through a chain of stages. One source may feed several rows (other taps, other
  /// streams).
  public var rows: [Row]
  /// Crosspoints that exist; all others are silence at no cost.
  public var cells: [Cell]
  /// Outputs, for what is done to a device's channels together.
  public var outputs: [Output]

  public init(
    sources: [Source] = [], sinks: [Sink] = [], rows: [Row] = [], cells: [Cell] = [],
    outputs: [Output] = []
  ) {
    (self.sources, self.sinks, self.rows) = (sources, sinks, rows)
    (self.cells, self.outputs) = (cells, outputs)
  }

  /// A channel that sound comes from.
  public struct Source: Equatable, Sendable {
    public var port: PortHandle
    public init(port: PortHandle) { self.port = port }
  }

  /// A channel that sound goes to.
  public struct Sink: Equatable, Sendable {
    public var port: PortHandle
    /// Index into `outputs`, or nil for a session's capture, which has no delay and no limiter.
    public var output: Int?
    /// Stages of the whole column (output gain, mute, availability, panic), multiplied.
    public var stages: [StageKey]
    public init(port: PortHandle, output: Int?, stages: [StageKey]) {
      (self.port, self.output, self.stages) = (port, output, stages)
    }
  }

  /// A source channel seen through a chain of stages.
  public struct Row: Equatable, Sendable {
    /// Index into `sources`.
    public var source: Int
    /// Stages of the whole row, multiplied; which ones are in it is what makes its tap post, pre or input.
    public var stages: [StageKey]
    /// The session whose duck stages apply, per output; nil for rows that are never ducked.
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
    /// The send's own stage; several cells of one send share it.
    public var stage: StageKey
    /// A constant factor, such as 1/sqrt(2) for stereo summed to mono.
    public var scale: Float
    public init(row: Int, sink: Int, stage: StageKey, scale: Float = 1) {
      (self.row, self.sink, self.stage, self.scale) = (row, sink, stage, scale)
    }
  }

  /// What is done to an output's channels after the matrix.
  public struct Output: Equatable, Sendable {
    public var id: PortID
    public init(id: PortID) { self.id = id }
  }
}

/// Settings of an output that are no gains.
public struct OutputTreatment: Equatable, Sendable {
  /// Delay in frames, 0 to 2 s; a change crossfades.
  public var delay: Int
  /// The limiter's ceiling as amplitude; samples at or below it pass bit-exact.
  public var ceiling: Float
  public init(delay: Int = 0, ceiling: Float = 1) { (self.delay, self.ceiling) = (delay, ceiling) }
}

/// Names a gain stage. A key keeps its running value from plan to plan as long as some structure uses it.
public enum StageKey: Hashable, Sendable {
  /// Everything that silences a session as a whole: inactive, interrupted, no source. All taps pass it.
  case sessionGate(SessionID)
  case sessionMute(SessionID)
  case sessionGain(SessionID)
  /// Opens when a source is connected.
  case streamGate(SessionID, StreamID)
  case streamMute(SessionID, StreamID)
  case streamGain(SessionID, StreamID)
  /// The balance of one channel of a stream (0 left, 1 right).
  case streamPan(SessionID, StreamID, channel: Int)
  /// One crosspoint of a destination or capture, numbered by who builds the mix: each fades by itself, so that a change of
  /// channels or tap is a crossfade.
  case crosspoint(Int)
  case captureGate(SessionID)
  /// What ducking does to a session in one output.
  case duck(SessionID, PortID)
  case outputGain(PortID)
  case outputMute(PortID)
  /// Opens when the device is there and connected.
  case outputGate(PortID)
  case inputGain(PortID)
  case inputMute(PortID)
  /// The input gain of the sessions that capture from it.
  case inputLevel(PortID)
  case inputGate(PortID)
  case inputChannelGain(PortID, channel: Int)
  case inputChannelMute(PortID, channel: Int)
  /// The panic switch, on every output.
  case panic
}

/// Where a stage shall go, and how.
public struct StageLevel: Equatable, Sendable {
  /// Wanted amplitude.
  public var target: Float
  /// Amplitude at which a stage that did not exist before starts; nil starts at the target.
  public var initial: Float?
  public var ramp: Ramp
  /// A stage starts towards its target whenever this differs from the one it last saw, so that a set to the same
  /// value still ends a fade.
  public var revision: UInt32
  public init(target: Float, initial: Float? = nil, ramp: Ramp, revision: UInt32) {
    (self.target, self.initial, self.ramp, self.revision) = (target, initial, ramp, revision)
  }
}

/// The way from one amplitude to another.
public struct Ramp: Equatable, Sendable {
  /// Curve of a ramp; the source of each is the osc contract, section 1.
  public enum Shape: UInt8, Sendable, CaseIterable {
    /// Raised cosine in amplitude: gains, mutes, routes, on and off.
    case raisedCosine
    /// Linear in dB between -90 dB and the rest: ducks.
    case decibels
    /// Along the fader's travel at constant speed: fades.
    case fader
    /// Linear in amplitude: fades.
    case linear
    /// Along the fader's travel, slow at both ends: fades.
    case sCurve
  }
  public var shape: Shape
  /// Length in frames, at least 1.
  public var frames: Int
  public init(_ shape: Shape, frames: Int) { (self.shape, self.frames) = (shape, max(1, frames)) }
}
