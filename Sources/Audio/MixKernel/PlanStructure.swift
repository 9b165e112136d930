/// The structure of a mix as the audio thread needs it: flat tables, and memory for buffers, gains and meters.
///
/// The control side writes the tables once, before the first plan with this structure is published. From then on the buffers, gains,
/// meters and flags belong to the audio thread.
package struct PlanStructure: BitwiseCopyable {
  /// Serial of the first plan with this structure. In a telemetry record the serial tells to which channels the meters
  /// belong.
  package var serial: UInt64

  // MARK: Channels
  package var sourceCount: Int
  package var sinkCount: Int
  /// Rings that sources read, and rings that sinks write; usually none.
  package var ringCount: Int
  package var rings: UnsafeMutablePointer<RingUse>
  /// Players and recorders; nil if there are none.
  package var media: UnsafeMutablePointer<MediaUse>?
  /// The ports, as `PortHandle.rawValue`; 0 for a channel of a ring, a deck or a tap.
  package var sourceHandles: UnsafeMutablePointer<UInt>
  package var sinkHandles: UnsafeMutablePointer<UInt>
  /// Buffers of this period. A source with nil is silent; the samples of a sink with nil are dropped. The sinks' table
  /// is padded with nil to whole groups.
  package var sourceBuffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  package var sinkBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// One block of each source, side by side.
  package var packed: UnsafeMutablePointer<Float>

  // MARK: Meters since the last telemetry record
  /// Bit patterns of the greatest magnitudes. The sinks' table is padded to whole groups.
  package var sourcePeaks: UnsafeMutablePointer<Int32>
  package var sinkPeaks: UnsafeMutablePointer<Int32>
  /// Number of blocks of each source that became silence because they contained a broken sample.
  package var brokenBlocks: UnsafeMutablePointer<UInt32>
  /// Number of limited samples of each sink.
  package var limitedSamples: UnsafeMutablePointer<UInt32>

  // MARK: Stages of rows and sinks
  package var rowCount: Int
  /// The stages of row r are `rowStages[rowStageStart[r]..<rowStageStart[r + 1]]`. Those of sinks are stored in the same way.
  package var rowStageStart: UnsafeMutablePointer<Int32>
  package var rowStages: UnsafeMutablePointer<Int32>
  package var rowGains: UnsafeMutablePointer<Float>
  package var sinkStageStart: UnsafeMutablePointer<Int32>
  package var sinkStages: UnsafeMutablePointer<Int32>
  /// Gain of each sink, padded to four for each group.
  package var sinkGains: UnsafeMutablePointer<Float>
  /// The gain of each sink that is multiplied into the matrix: the sink's gain, or 1 if the sink is delayed. A delayed sink's gain is
  /// applied after the delay, so that a mute is heard at once and not a delay later.
  package var matrixGains: UnsafeMutablePointer<Float>
  /// Gains of delayed sinks at the end of the last block.
  package var lastGains: UnsafeMutablePointer<Float>
  /// Gains of all sinks in the middle of the block, while a stage of a row or a sink moves.
  package var middleGains: UnsafeMutablePointer<Float>

  // MARK: Chains of effects of sinks
  package var insertCount: Int
  package var inserts: UnsafeMutablePointer<InsertUse>
  /// The index of each sink's chain in `inserts`; -1 for a sink without one. A sink with a chain has a delay line, too.
  package var sinkInserts: UnsafeMutablePointer<Int32>

  // MARK: Limiters
  // These tables are padded to whole groups.
  /// The stage of each sink's ceiling; -1 for a capture, which has no limiter.
  package var ceilingStages: UnsafeMutablePointer<Int32>
  /// The ceiling of each sink at the end of the block, as an amplitude; infinity for captures.
  package var ceilings: UnsafeMutablePointer<Float>
  /// The ceiling of each sink at the end of the last block.
  package var lastCeilings: UnsafeMutablePointer<Float>
  /// The lower of the two ceilings of each sink. A block that stays below it needs no limiter.
  package var leastCeilings: UnsafeMutablePointer<Float>

  // MARK: Matrix
  package var groupCount: Int
  package var groups: UnsafeMutablePointer<SinkGroup>

  // MARK: Effects of stages
  /// The indices of all stages of this structure are lower than this number.
  package var stageCount: Int
  /// Stage s has an effect on the groups `stageGroups[stageGroupStart[s]..<stageGroupStart[s + 1]]`.
  package var stageGroupStart: UnsafeMutablePointer<Int32>
  package var stageGroups: UnsafeMutablePointer<Int32>
  /// Whether each stage belongs to a row or a sink.
  package var stageIsShared: UnsafeMutablePointer<Bool>
  /// Whether each stage is a duck stage.
  package var stageIsDuck: UnsafeMutablePointer<Bool>
  /// For each whole chunk of stages: the one group that all its stages affect, if all are stages of crosspoints; -1
  /// otherwise.
  package var chunkGroups: UnsafeMutablePointer<Int32>

  package init(
    serial: UInt64, sourceCount: Int, sinkCount: Int, ringCount: Int, rings: UnsafeMutablePointer<RingUse>,
    media: UnsafeMutablePointer<MediaUse>?, sourceHandles: UnsafeMutablePointer<UInt>,
    sinkHandles: UnsafeMutablePointer<UInt>,
    sourceBuffers: UnsafeMutablePointer<UnsafePointer<Float>?>,
    sinkBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    packed: UnsafeMutablePointer<Float>,
    sourcePeaks: UnsafeMutablePointer<Int32>, sinkPeaks: UnsafeMutablePointer<Int32>,
    brokenBlocks: UnsafeMutablePointer<UInt32>, limitedSamples: UnsafeMutablePointer<UInt32>,
    rowCount: Int, rowStageStart: UnsafeMutablePointer<Int32>, rowStages: UnsafeMutablePointer<Int32>,
    rowGains: UnsafeMutablePointer<Float>, sinkStageStart: UnsafeMutablePointer<Int32>,
    sinkStages: UnsafeMutablePointer<Int32>, sinkGains: UnsafeMutablePointer<Float>,
    matrixGains: UnsafeMutablePointer<Float>, lastGains: UnsafeMutablePointer<Float>,
    middleGains: UnsafeMutablePointer<Float>, insertCount: Int, inserts: UnsafeMutablePointer<InsertUse>,
    sinkInserts: UnsafeMutablePointer<Int32>,
    ceilingStages: UnsafeMutablePointer<Int32>, ceilings: UnsafeMutablePointer<Float>,
    lastCeilings: UnsafeMutablePointer<Float>, leastCeilings: UnsafeMutablePointer<Float>, groupCount: Int,
    groups: UnsafeMutablePointer<SinkGroup>, stageCount: Int,
    stageGroupStart: UnsafeMutablePointer<Int32>, stageGroups: UnsafeMutablePointer<Int32>,
    stageIsShared: UnsafeMutablePointer<Bool>, stageIsDuck: UnsafeMutablePointer<Bool>,
    chunkGroups: UnsafeMutablePointer<Int32>
  ) {
    (self.serial, self.sourceCount, self.sinkCount) = (serial, sourceCount, sinkCount)
    (self.ringCount, self.rings, self.media) = (ringCount, rings, media)
    (self.sourceHandles, self.sinkHandles) = (sourceHandles, sinkHandles)
    (self.sourceBuffers, self.sinkBuffers) = (sourceBuffers, sinkBuffers)
    self.packed = packed
    (self.sourcePeaks, self.sinkPeaks) = (sourcePeaks, sinkPeaks)
    (self.brokenBlocks, self.limitedSamples) = (brokenBlocks, limitedSamples)
    (self.rowCount, self.rowStageStart, self.rowStages) = (rowCount, rowStageStart, rowStages)
    (self.rowGains, self.sinkStageStart, self.sinkStages) = (rowGains, sinkStageStart, sinkStages)
    (self.sinkGains, self.matrixGains, self.lastGains) = (sinkGains, matrixGains, lastGains)
    self.middleGains = middleGains
    (self.insertCount, self.inserts, self.sinkInserts) = (insertCount, inserts, sinkInserts)
    (self.ceilingStages, self.ceilings) = (ceilingStages, ceilings)
    (self.lastCeilings, self.leastCeilings) = (lastCeilings, leastCeilings)
    (self.groupCount, self.groups) = (groupCount, groups)
    (self.stageCount, self.stageGroupStart) = (stageCount, stageGroupStart)
    (self.stageGroups, self.stageIsShared) = (stageGroups, stageIsShared)
    self.stageIsDuck = stageIsDuck
    self.chunkGroups = chunkGroups
  }
}

/// Four sinks that are mixed together, and the rows that have a crosspoint with any of the four.
package struct SinkGroup: BitwiseCopyable {
  package var rowCount: Int
  /// The index of each row's first sample in `packed`.
  package var starts: UnsafeMutablePointer<Int32>
  /// The crosspoints of each sink, as `mixSparse` needs them; nil if more than half of the crosspoints exist.
  package var crosspoints: UnsafeMutablePointer<Int32>?
  /// The mix's index of each row of the group.
  package var rows: UnsafeMutablePointer<Int32>
  /// Four stages for each row; stage 0 where there is no crosspoint.
  package var cells: UnsafeMutablePointer<Int32>
  /// The first stage of `cells`, if the stages are consecutive and the group has no duck stage; -1 otherwise.
  package var firstCell: Int32
  /// Four duck stages for each row, stage 1 where there is none; nil if the group has no duck stage.
  package var ducks: UnsafeMutablePointer<Int32>?
  /// Four constant factors for each row.
  package var scales: UnsafeMutablePointer<Float>
  /// Gains at the end of the last block, four for each row.
  package var gains: UnsafeMutablePointer<Float>
  /// Memory for the gains at the end of the next block.
  package var nextGains: UnsafeMutablePointer<Float>
  /// Memory for the gains in the middle of the next block, and then for their deviations from the common way (`bend`).
  package var bends: UnsafeMutablePointer<Float>
  /// Whether any stage of the group has a ramp.
  package var isMoving = false
  /// Whether a gain of the group deviates from the common way in this block.
  package var isBending = false

  package init(
    rowCount: Int, starts: UnsafeMutablePointer<Int32>, crosspoints: UnsafeMutablePointer<Int32>?,
    rows: UnsafeMutablePointer<Int32>,
    cells: UnsafeMutablePointer<Int32>, firstCell: Int32, ducks: UnsafeMutablePointer<Int32>?,
    scales: UnsafeMutablePointer<Float>, gains: UnsafeMutablePointer<Float>,
    nextGains: UnsafeMutablePointer<Float>, bends: UnsafeMutablePointer<Float>
  ) {
    self.rowCount = rowCount
    self.starts = starts
    self.crosspoints = crosspoints
    self.rows = rows
    self.cells = cells
    self.firstCell = firstCell
    self.ducks = ducks
    self.scales = scales
    self.gains = gains
    self.nextGains = nextGains
    self.bends = bends
  }

  /// Swaps `gains` and `nextGains`, so that the end of this block is the end of the last block.
  @inline(always) @_noLocks
  mutating func exchangeGains() {
    let last = gains
    gains = nextGains
    nextGains = last
  }
}
