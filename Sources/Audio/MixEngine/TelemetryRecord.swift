/// Measurements of the audio thread since the last record.
public struct TelemetryRecord: Sendable {
  /// Periods since the last record.
  public var periods = 0
  /// Frames processed since the start.
  public var frames: UInt64 = 0
  /// Serial of the plan that was in use, as `publish` returned it.
  public var serial: UInt64 = 0
  /// Serial of the plan that brought the structure whose channels the meters belong to, as `MixEngine.structureSerial` was then.
  public var structureSerial: UInt64 = 0
  /// Nanoseconds spent on adopting new plans since the last record.
  public var adoptNanoseconds = 0
  /// Nanoseconds spent on computing ramps since the last record.
  public var stagesNanoseconds = 0
  /// Nanoseconds spent on getting buffers, and on reading and measuring sources, since the last record.
  public var sourcesNanoseconds = 0
  /// Nanoseconds spent on mixing sinks, with their delays, limiters and meters, since the last record.
  public var sinksNanoseconds = 0
  /// Nanoseconds spent on players and recorders since the last record, beside the mixing of their sources and sinks.
  public var playersNanoseconds = 0
  /// Nanoseconds spent on exchanging sound with the threads that process voices since the last record, beside the mixing.
  public var voiceNanoseconds = 0
  /// Time of the longest period in nanoseconds, from adopting the plan to the last sample.
  public var longestNanoseconds = 0
  /// Periods that began more than 1.6 periods after the one before, since the last record.
  public var late = 0
  /// Frames that the server left out since the last record.
  public var lost = 0
  /// Periods that came late or before which the server left out frames, since the last record.
  public var glitches = 0
  /// The longest time that one period spent on each stage since the last record.
  public var worst = StageTimes()
  /// When the last period began, in seconds of the monotonic clock. At its end `frames` were processed.
  public var lastBegin = 0.0
  /// The worst period since the last record that was late, lost frames or took more than 0.8 of its time; nil if there was none.
  public var flight: TelemetryFlight?
  /// Greatest magnitude of each source, before any gain.
  public var sourcePeaks: [Float] = []
  /// Number of blocks of each source (at most 64 frames each) that became silence because a sample was not finite or above +240 dBFS.
  public var brokenBlocks: [UInt32] = []
  /// Greatest magnitude of each sink, after the limiter.
  public var sinkPeaks: [Float] = []
  /// Number of samples of each sink that were above the ceiling.
  public var limitedSamples: [UInt32] = []
  /// Power of players and recorders; nil for a structure without any.
  public var power: TelemetryPower?

  public init() {}

  /// Adds the next record, which must belong to the same structure.
  public mutating func add(_ next: borrowing TelemetryRecord) {
    precondition(next.structureSerial == structureSerial, "meters of other channels")
    periods += next.periods
    (frames, serial) = (next.frames, next.serial)
    adoptNanoseconds += next.adoptNanoseconds
    stagesNanoseconds += next.stagesNanoseconds
    sourcesNanoseconds += next.sourcesNanoseconds
    sinksNanoseconds += next.sinksNanoseconds
    playersNanoseconds += next.playersNanoseconds
    voiceNanoseconds += next.voiceNanoseconds
    longestNanoseconds = max(longestNanoseconds, next.longestNanoseconds)
    (late, lost, glitches) = (late + next.late, lost + next.lost, glitches + next.glitches)
    worst.raise(to: next.worst)
    lastBegin = next.lastBegin
    if let other = next.flight, flight.map({ other.isWorse(than: $0) }) ?? true { flight = other }
    for index in sourcePeaks.indices {
      sourcePeaks[index] = max(sourcePeaks[index], next.sourcePeaks[index])
      brokenBlocks[index] &+= next.brokenBlocks[index]
    }
    for index in sinkPeaks.indices {
      sinkPeaks[index] = max(sinkPeaks[index], next.sinkPeaks[index])
      limitedSamples[index] &+= next.limitedSamples[index]
    }
    if let more = next.power { power?.add(more) }
  }
}
