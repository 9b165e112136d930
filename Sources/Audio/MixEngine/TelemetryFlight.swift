/// The times in nanoseconds of the stages of the audio thread's work.
public struct StageTimes: Equatable, Sendable {
  public var adopt = 0
  public var stages = 0
  public var sources = 0
  public var sinks = 0
  public var players = 0
  public var voice = 0

  public init() {}

  /// Makes the times of the stages 0 to 5.
  init(_ time: (Int) -> Int) {
    (adopt, stages, sources, sinks) = (time(0), time(1), time(2), time(3))
    (players, voice) = (time(4), time(5))
  }

  /// Raises each time to that of others, if that is greater.
  public mutating func raise(to other: StageTimes) {
    (adopt, stages) = (max(adopt, other.adopt), max(stages, other.stages))
    (sources, sinks) = (max(sources, other.sources), max(sinks, other.sinks))
    (players, voice) = (max(players, other.players), max(voice, other.voice))
  }
}

/// One period of the audio thread that was late, followed lost frames or took more than 0.8 of its time. Times are in nanoseconds.
public struct TelemetryFlight: Equatable, Sendable {
  /// Time from the begin of the period before to that of this one; 0 for a first period.
  public var gap = 0
  /// Time that the period took.
  public var own = 0
  public var times = StageTimes()
  /// Frames of the period, and of the one before; 0 if there was none.
  public var frames = 0
  public var framesBefore = 0
  /// Frames that the server left out before the period.
  public var lost = 0
  /// Whether the period began more than 1.6 periods after the one before.
  public var isLate = false
  /// Ramps that ran at the end of the period.
  public var ramps = 0
  /// Serial of the plan that was in use.
  public var serial: UInt64 = 0

  public init() {}

  init(
    gap: Int, own: Int, times: StageTimes, frames: Int, framesBefore: Int, lost: Int, isLate: Bool,
    ramps: Int,
    serial: UInt64
  ) {
    (self.gap, self.own, self.times) = (gap, own, times)
    (self.frames, self.framesBefore, self.lost, self.isLate) = (frames, framesBefore, lost, isLate)
    (self.ramps, self.serial) = (ramps, serial)
  }

  /// Whether it is a glitch, and not only a period that took long.
  public var isGlitch: Bool { isLate || lost > 0 }

  /// A glitch is worse than a period that took long; otherwise the longer time counts.
  public func isWorse(than other: TelemetryFlight) -> Bool {
    isGlitch != other.isGlitch ? isGlitch : max(gap, own) > max(other.gap, other.own)
  }
}
