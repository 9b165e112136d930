/// What the router has measured of the audio loop: the server, the audio thread and the bridges. Times are in seconds.
///
/// Counts only grow, across servers, so a reader computes differences. Ratios and rates are 0 while they are unknown.
public struct LoopFacts: Equatable, Sendable {
  public var load = Load()
  public var counts = Counts()
  /// The server's sample rate in Hz, measured by the monotonic clock. One server plays and captures with one clock.
  public var rate = 0.0
  /// The measured rate divided by the nominal one, minus 1.
  public var drift = 0.0
  public private(set) var stages: [LoopStage: Stage] = [:]
  /// The resampling ratio that each bridge's program reports, minus 1.
  public var outputDrifts: [PortID: Double] = [:]
  public var inputDrifts: [PortID: Double] = [:]
  /// The last glitch, or the last period that took more than 0.8 of its time; nil if there was none.
  public var flight: FlightRecord?
  /// The reduction of the echo by each session's echo canceller, in dB (echo return loss enhancement). Only cancellers
  /// that work have an entry.
  public var voices: [SessionID: Double] = [:]
  /// The rings of the players and recorders that run now.
  public var rings: [Ring] = []
  /// Bytes that each recorder has written since the router's start.
  public var writtenBytes: [RecorderID: Int] = [:]
  /// Free bytes of the disk for recordings; nil if there is no such disk, or if it does not answer.
  public var freeBytes: Int?
  /// Number of resets of the worst values.
  public private(set) var resets = 0

  public init() {}

  /// The processing time per period, as a share of the period.
  public struct Load: Equatable, Sendable {
    /// The load of the audio thread, averaged over the last second.
    public var now = 0.0
    /// The load of the audio thread in the worst period of the last 10 s.
    public var worst = 0.0
    /// The load of all clients together, as the server reports it.
    public var server = 0.0
    public init() {}
  }

  /// Counts since the router's start.
  public struct Counts: Equatable, Sendable {
    public var xruns = 0
    /// The xruns by their causes, as far as they are known.
    public var xrunCauses: [GlitchCause: Int] = [:]
    /// Periods that came late or lost frames, each counted once.
    public var glitches = 0
    /// Periods that began more than 1.6 periods after the one before.
    public var late = 0
    /// Frames that the server skipped.
    public var lost = 0
    public var periods = 0
    public var frames = 0
    /// The glitches by their causes.
    public var causes: [GlitchCause: Int] = [:]
    public init() {}
  }

  /// The time of one stage of the work in a period of the audio thread, or in a pass of the threads of files.
  public struct Stage: Equatable, Sendable {
    /// Time per period or pass, averaged over the last second.
    public var mean = 0.0
    /// Longest time of one period or pass, since the start or since the worst values were reset.
    public var worst = 0.0
    /// Sum since the router's start.
    public var total = 0.0
    public init() {}
  }

  /// A ring between a file and the audio thread.
  public struct Ring: Equatable, Sendable {
    /// The player or recorder, as `player:music`.
    public var name: String
    /// Seconds of sound in the ring: now, and the least of the last 10 s.
    public var (fill, least): (Double, Double)
    /// How many times per second the audio thread reads from the ring or writes to it.
    public var pulls: Double
    public init(name: String, fill: Double, least: Double, pulls: Double) {
      (self.name, self.fill, self.least, self.pulls) = (name, fill, least, pulls)
    }
  }

  public subscript(stage: LoopStage) -> Stage {
    get { stages[stage] ?? Stage() }
    set { stages[stage] = newValue }
  }

  /// The resampling ratio of a port's bridge, minus 1; 0 while unknown.
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
  /// Adopts a new plan.
  case adopt
  /// Computes ramps.
  case stages
  /// Reads and measures sources.
  case sources
  /// Mixes, delays, limits and measures sinks.
  case sinks
  /// Runs the decks of players and the taps of recorders.
  case players
  /// Exchanges sound with the threads of voice processing.
  case voice
  /// Reads for players and writes for recorders, on the threads of files.
  case disk
}

/// The cause of a glitch.
public enum GlitchCause: String, CaseIterable, Sendable {
  /// The server called late or left out frames, for instance because it waited for another program.
  case server
  /// The router's own work took too long.
  case own
  /// The router got no processor, or stood still.
  case machine
}

/// What is known of one period that came late, lost frames or took nearly all of its time. Times are in seconds.
public struct FlightRecord: Equatable, Sendable {
  /// When the router learned of the period, in seconds since the router's start.
  public var time: Double
  /// Whether the period was a glitch; false if it only took nearly all of its time.
  public var isGlitch: Bool
  public var cause: GlitchCause
  /// Why the router concluded that cause, as a sentence.
  public var why: String
  /// How late the period came, or how long the lost sound was if that is longer.
  public var delay: Double
  /// The length of a period.
  public var period: Double
  /// Time from the start of the previous period to the start of this period.
  public var gap: Double
  /// Time that the router worked.
  public var own: Double
  public var stages: [LoopStage: Double]
  /// Frames that the server skipped.
  public var lost: Int
  public var frames: Int
  /// Number of ramps in progress.
  public var ramps: Int
  /// Serial of the plan in use.
  public var plan: UInt64
  /// The audio thread's context switches in the second before: it gave up its processor (voluntary) or lost it
  /// (involuntary). Nil if the system does not tell.
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
