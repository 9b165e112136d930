/// What the audio thread measured since the record before.
public struct TelemetryRecord: Sendable {
  /// Periods since the record before.
  public var periods = 0
  /// Frames processed since the start.
  public var frames: UInt64 = 0
  /// The plan that was in use, as returned by `publish`.
  public var serial: UInt64 = 0
  /// The plan that brought the structure that the meters follow, as in `MixEngine.structureSerial` then.
  public var structureSerial: UInt64 = 0
  /// Nanoseconds spent on taking new plans, since the record before; as are the following.
  public var adoptNanoseconds = 0
  /// Nanoseconds spent on moving stages.
  public var stagesNanoseconds = 0
  /// Nanoseconds spent on taking the buffers, reading and measuring sources.
  public var sourcesNanoseconds = 0
  /// Nanoseconds spent on mixing sinks, with their delays, limiters and meters.
  public var sinksNanoseconds = 0
  /// The longest period, from taking the plan to its last sample, in nanoseconds.
  public var longestNanoseconds = 0
  /// Greatest magnitude of each source, before any gain.
  public var sourcePeaks: [Float] = []
  /// Blocks of each source (at most 64 frames each) that were taken as silence because they held a sample that is not finite
  /// or beyond +240 dBFS.
  public var brokenBlocks: [UInt32] = []
  /// Greatest magnitude of each sink, after the limiter.
  public var sinkPeaks: [Float] = []
  /// Samples of each sink that were above the ceiling.
  public var limitedSamples: [UInt32] = []

  public init() {}

  /// Adds what was measured next with the same structure.
  public mutating func add(_ next: borrowing TelemetryRecord) {
    precondition(next.structureSerial == structureSerial, "meters of other channels")
    periods += next.periods
    (frames, serial) = (next.frames, next.serial)
    adoptNanoseconds += next.adoptNanoseconds
    stagesNanoseconds += next.stagesNanoseconds
    sourcesNanoseconds += next.sourcesNanoseconds
    sinksNanoseconds += next.sinksNanoseconds
    longestNanoseconds = max(longestNanoseconds, next.longestNanoseconds)
    for index in sourcePeaks.indices {
      sourcePeaks[index] = max(sourcePeaks[index], next.sourcePeaks[index])
      brokenBlocks[index] &+= next.brokenBlocks[index]
    }
    for index in sinkPeaks.indices {
      sinkPeaks[index] = max(sinkPeaks[index], next.sinkPeaks[index])
      limitedSamples[index] &+= next.limitedSamples[index]
    }
  }
}
