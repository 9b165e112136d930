/// A mix as the audio thread needs it: flat tables, and room for what belongs to it while it is in use.
///
/// Tables are written once, before the first plan with this structure is published. Buffers, gains, meters and flags belong
/// to the audio thread from then on.
package struct PlanStructure: BitwiseCopyable {
  /// The plan that brought this structure; says which channels the meters in a telemetry record belong to.
  package var serial: UInt64

  // MARK: Channels
  package var sourceCount: Int
  package var sinkCount: Int
  /// Ports as the backend knows them.
  package var sourceHandles: UnsafeMutablePointer<UInt>
  package var sinkHandles: UnsafeMutablePointer<UInt>
  /// Buffers of this period; nil is silence for a source and nobody for a sink. The sinks' go up to whole groups, with nil.
  package var sourceBuffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  package var sinkBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// One block of each source, side by side.
  package var packed: UnsafeMutablePointer<Float>

  // MARK: Meters since the last telemetry record
  /// Bit patterns of the greatest magnitudes; the sinks' go up to whole groups.
  package var sourcePeaks: UnsafeMutablePointer<Int32>
  package var sinkPeaks: UnsafeMutablePointer<Int32>
  /// Blocks that were taken as silence because they contained a broken sample.
  package var brokenBlocks: UnsafeMutablePointer<UInt32>
  /// Samples that were limited.
  package var limitedSamples: UnsafeMutablePointer<UInt32>

  // MARK: Stages of rows and sinks
  package var rowCount: Int
  /// Stages of row r are `rowStages[rowStageStart[r]..<rowStageStart[r + 1]]`.
  package var rowStageStart: UnsafeMutablePointer<Int32>
  package var rowStages: UnsafeMutablePointer<Int32>
  package var rowGains: UnsafeMutablePointer<Float>
  package var sinkStageStart: UnsafeMutablePointer<Int32>
  package var sinkStages: UnsafeMutablePointer<Int32>
  /// Four for each group.
  package var sinkGains: UnsafeMutablePointer<Float>
  /// What of them is multiplied into the matrix: all, or 1 for a delayed sink. Its gain comes after the delay, so that what
  /// silences it is not heard a delay later.
  package var matrixGains: UnsafeMutablePointer<Float>
  /// Gains of delayed sinks at the end of the last block.
  package var lastGains: UnsafeMutablePointer<Float>

  // MARK: Matrix
  package var groupCount: Int
  package var groups: UnsafeMutablePointer<SinkGroup>

  // MARK: What a stage moves
  /// Stages that this structure may use have indices below this.
  package var stageCount: Int
  /// Groups that stage s takes part in are `stageGroups[stageGroupStart[s]..<stageGroupStart[s + 1]]`.
  package var stageGroupStart: UnsafeMutablePointer<Int32>
  package var stageGroups: UnsafeMutablePointer<Int32>
  /// Whether a stage is part of a row or a sink.
  package var stageIsShared: UnsafeMutablePointer<Bool>

  package init(
    serial: UInt64, sourceCount: Int, sinkCount: Int, sourceHandles: UnsafeMutablePointer<UInt>,
    sinkHandles: UnsafeMutablePointer<UInt>,
    sourceBuffers: UnsafeMutablePointer<UnsafePointer<Float>?>,
    sinkBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    packed: UnsafeMutablePointer<Float>,
    sourcePeaks: UnsafeMutablePointer<Int32>, sinkPeaks: UnsafeMutablePointer<Int32>,
    brokenBlocks: UnsafeMutablePointer<UInt32>, limitedSamples: UnsafeMutablePointer<UInt32>,
    rowCount: Int, rowStageStart: UnsafeMutablePointer<Int32>, rowStages: UnsafeMutablePointer<Int32>,
    rowGains: UnsafeMutablePointer<Float>, sinkStageStart: UnsafeMutablePointer<Int32>,
    sinkStages: UnsafeMutablePointer<Int32>, sinkGains: UnsafeMutablePointer<Float>,
    matrixGains: UnsafeMutablePointer<Float>, lastGains: UnsafeMutablePointer<Float>, groupCount: Int,
    groups: UnsafeMutablePointer<SinkGroup>, stageCount: Int,
    stageGroupStart: UnsafeMutablePointer<Int32>, stageGroups: UnsafeMutablePointer<Int32>,
    stageIsShared: UnsafeMutablePointer<Bool>
  ) {
    (self.serial, self.sourceCount, self.sinkCount) = (serial, sourceCount, sinkCount)
    (self.sourceHandles, self.sinkHandles) = (sourceHandles, sinkHandles)
    (self.sourceBuffers, self.sinkBuffers) = (sourceBuffers, sinkBuffers)
    self.packed = packed
    (self.sourcePeaks, self.sinkPeaks) = (sourcePeaks, sinkPeaks)
    (self.brokenBlocks, self.limitedSamples) = (brokenBlocks, limitedSamples)
    (self.rowCount, self.rowStageStart, self.rowStages) = (rowCount, rowStageStart, rowStages)
    (self.rowGains, self.sinkStageStart, self.sinkStages) = (rowGains, sinkStageStart, sinkStages)
    (self.sinkGains, self.matrixGains, self.lastGains) = (sinkGains, matrixGains, lastGains)
    (self.groupCount, self.groups) = (groupCount, groups)
    (self.stageCount, self.stageGroupStart) = (stageCount, stageGroupStart)
    (self.stageGroups, self.stageIsShared) = (stageGroups, stageIsShared)
  }
}

/// Four sinks and the rows that any of them hears.
package struct SinkGroup: BitwiseCopyable {
  package var rowCount: Int
  /// Runs of rows whose sources lie side by side in `packed`, two words each: where the first begins, in samples, and how
  /// many rows there are.
  package var runs: UnsafeMutablePointer<Int32>
  package var runCount: Int
  /// For each row, which row of the mix it is.
  package var rows: UnsafeMutablePointer<Int32>
  /// Four stages for each row; 0 where there is no crosspoint.
  package var cells: UnsafeMutablePointer<Int32>
  /// The first of them if they are side by side, in order, and nobody ducks; -1 otherwise.
  package var firstCell: Int32
  /// Four duck stages for each row, or nil if the group has none; 1 where there is none.
  package var ducks: UnsafeMutablePointer<Int32>?
  /// Four constant factors for each row.
  package var scales: UnsafeMutablePointer<Float>
  /// Gains at the end of the last block, four for each row.
  package var gains: UnsafeMutablePointer<Float>
  /// Room for the gains at the end of the next.
  package var nextGains: UnsafeMutablePointer<Float>
  /// Whether any stage of the group is on its way.
  package var isMoving = false

  package init(
    rowCount: Int, runs: UnsafeMutablePointer<Int32>, runCount: Int, rows: UnsafeMutablePointer<Int32>,
    cells: UnsafeMutablePointer<Int32>, firstCell: Int32, ducks: UnsafeMutablePointer<Int32>?,
    scales: UnsafeMutablePointer<Float>, gains: UnsafeMutablePointer<Float>,
    nextGains: UnsafeMutablePointer<Float>
  ) {
    self.rowCount = rowCount
    self.runs = runs
    self.runCount = runCount
    self.rows = rows
    self.cells = cells
    self.firstCell = firstCell
    self.ducks = ducks
    self.scales = scales
    self.gains = gains
    self.nextGains = nextGains
  }
}
