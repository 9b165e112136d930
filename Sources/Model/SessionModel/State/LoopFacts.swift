/// What the router has measured of the audio loop: the server, the audio thread and the bridges. Times are in seconds.
///
/// Counts only grow, across servers; a reader takes differences. Ratios and rates are 0 while they are unknown.
public struct LoopFacts: Equatable, Sendable {
  public var load = Load()
  public var counts = Counts()
  /// The server's frames per second, measured against the monotonic clock. One server plays and captures with one clock.
  public var rate = 0.0
  /// The measured rate divided by the nominal one, minus 1.
  public var drift = 0.0
  public private(set) var stages: [LoopStage: Stage] = [:]
  /// By how much each bridge resamples: the ratio that its program tells, minus 1.
  public var outputDrifts: [PortID: Double] = [:]
  public var inputDrifts: [PortID: Double] = [:]
  /// The last glitch, or the last period that took more than 0.8 of its time; nil if there was none.
  public var flight: FlightRecord?
  /// By how many dB the echo canceller of each session reduces the echo (echo return loss enhancement); only of those that work.
  public var voices: [SessionID: Double] = [:]
  /// The rings of players and recorders that sound now.
  public var rings: [Ring] = []
  /// Bytes that each recorder has written since the router's start.
  public var writtenBytes: [RecorderID: Int] = [:]
  /// Free bytes of the disk of the recordings; nil if there is none, or it does not answer.
  public var freeBytes: Int?
  /// How often the worst values were reset.
  public private(set) var resets = 0

  public init() {}

  /// How much of each period is needed, as a share of the period.
  public struct Load: Equatable, Sendable {
    /// Of the audio thread, in the mean of the last second.
    public var now = 0.0
    /// Of the audio thread, in the worst period of the last 10 s.
    public var worst = 0.0
    /// Of all clients of the server together, as the server tells it.
    public var server = 0.0
    public init() {}
  }

  /// Counts since the router's start.
  public struct Counts: Equatable, Sendable {
    public var xruns = 0
    /// The xruns by their causes, as far as they are known.
    public var xrunCauses: [GlitchCause: Int] = [:]
    /// Periods that came late or lost frames, each once.
    public var glitches = 0
    /// Periods that began more than 1.6 periods after the one before.
    public var late = 0
    /// Frames that the server left out.
    public var lost = 0
    public var periods = 0
    public var frames = 0
    /// The glitches by their causes.
    public var causes: [GlitchCause: Int] = [:]
    public init() {}
  }

  /// The time of one stage of the work in a period of the audio thread, or in a pass of the threads of files.
  public struct Stage: Equatable, Sendable {
    /// Per period or pass, in the mean of the last second.
    public var mean = 0.0
    /// The longest in one period or pass since the start, or since the worst values were reset.
    public var worst = 0.0
    /// Since the router's start.
    public var total = 0.0
    public init() {}
  }

  /// A ring between a file and the audio thread.
  public struct Ring: Equatable, Sendable {
    /// The player or recorder, as `player:music`.
    public var name: String
    /// Seconds of sound in it: now, and the least of the last 10 s.
    public var (fill, least): (Double, Double)
    /// How often a second the audio thread took from it or gave to it.
    public var pulls: Double
    public init(name: String, fill: Double, least: Double, pulls: Double) {
      (self.name, self.fill, self.least, self.pulls) = (name, fill, least, pulls)
    }
  }

  public subscript(stage: LoopStage) -> Stage {
    get { stages[stage] ?? Stage() }
    set { stages[stage] = newValue }
  }

  /// By how much the bridge of a port resamples; 0 while that is unknown.
  public func drift(of port: PortID, _ direction: Direction) -> Double {
    (direction == .output ? outputDrifts : inputDrifts)[port] ?? 0
  }

  /// Forgets the worst values. Counts stay.
  public mutating func resetWorst() {
    resets += 1
    load.worst = load.now
    for stage in LoopStage.allCases { self[stage].worst = 0 }
  }
}

/// The stages of the work: those of the audio thread, and that of the threads that read and write files.
public enum LoopStage: String, CaseIterable, Sendable {
  /// A new plan is adopted.
  case adopt
  /// Ramps are computed.
  case stages
  /// Sources are read and measured.
  case sources
  /// Sinks are mixed, delayed, limited and measured.
  case sinks
  /// Players and recorders on the audio thread: their decks and taps.
  case players
  /// Voice processing on the audio thread: sound is exchanged with the threads that process it.
  case voice
  /// The threads of files read for players and write for recorders.
  case disk
}

/// The cause of a glitch.
public enum GlitchCause: String, CaseIterable, Sendable {
  /// The server called late or left out frames, for instance because it waited for another program.
  case server
  /// The router's own work took too long.
  case own
  /// The router had no processor, or stood still.
  case machine
}

/// What is known of one period that came late, lost frames or took nearly all of its time. Times are in seconds.
public struct FlightRecord: Equatable, Sendable {
  /// When the router learned of it, in seconds since its start.
  public var time: Double
  /// Whether it was a glitch, and not only a period that took long.
  public var isGlitch: Bool
  public var cause: GlitchCause
  /// Why the router concluded that cause, as a sentence.
  public var why: String
  /// By how much the period came late; or how much sound was lost, if that is more.
  public var delay: Double
  /// The length of a period.
  public var period: Double
  /// From the begin of the period before to that of this one.
  public var gap: Double
  /// The time of the router's work.
  public var own: Double
  public var stages: [LoopStage: Double]
  /// Frames that the server left out.
  public var lost: Int
  public var frames: Int
  /// Ramps that ran.
  public var ramps: Int
  /// Serial of the plan in use.
  public var plan: UInt64
  /// How often the audio thread gave up its processor in the second before, and how often it lost it; nil if the system does not tell.
  public var switches: Switches?

  public struct Switches: Equatable, Sendable {
    public var voluntary: Int
    public var involuntary: Int
    public init(voluntary: Int, involuntary: Int) {
      (self.voluntary, self.involuntary) = (voluntary, involuntary)
    }
  }

  public init(
    time: Double, isGlitch: Bool, cause: GlitchCause, why: String, delay: Double, period: Double, gap: Double,
    own: Double, stages: [LoopStage: Double], lost: Int, frames: Int, ramps: Int, plan: UInt64,
    switches: Switches?
  ) {
    (self.time, self.isGlitch, self.cause, self.why) = (time, isGlitch, cause, why)
    (self.delay, self.period, self.gap, self.own) = (delay, period, gap, own)
    (self.stages, self.lost, self.frames) = (stages, lost, frames)
    (self.ramps, self.plan, self.switches) = (ramps, plan, switches)
  }

  /// The stage that took longest.
  public var slowest: LoopStage {
    LoopStage.allCases.max { (stages[$0] ?? 0, $1.rawValue) < (stages[$1] ?? 0, $0.rawValue) } ?? .sinks
  }
}
