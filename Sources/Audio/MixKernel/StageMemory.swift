/// The present amplitudes of all stages, and the ramps that run.
///
/// Stage 0 is always 0 (no crosspoint) and stage 1 is always 1 (no duck). A stage at rest costs nothing, because the ramps are stored
/// apart: one list for each curve, in the order in which the ramps began.
package struct StageMemory: BitwiseCopyable {
  /// Greatest number of stages.
  package var capacity: Int
  /// Present amplitude of each stage.
  package var values: UnsafeMutablePointer<Float>
  /// Identity and revision of each stage, as in the last adopted plan.
  package var identities: UnsafeMutablePointer<UInt32>
  package var revisions: UnsafeMutablePointer<UInt32>
  /// The revision of all stages of a chunk, or -1 if they differ; only then `revisions` is valid.
  package var chunkRevisions: UnsafeMutablePointer<Int64>
  /// The list that holds a stage's ramp, as `Curve.rawValue`; -1 for a stage at rest.
  package var curves: UnsafeMutablePointer<Int32>
  /// Memory for the list of stages whose levels a new plan changes one by one, and for that of runs of stages which it changes together.
  package var changed: UnsafeMutablePointer<Int32>
  package var runs: UnsafeMutablePointer<StageRun>
  /// One list for each curve.
  package var ramps: UnsafeMutablePointer<RampList>

  package init(
    capacity: Int, values: UnsafeMutablePointer<Float>, identities: UnsafeMutablePointer<UInt32>,
    revisions: UnsafeMutablePointer<UInt32>, chunkRevisions: UnsafeMutablePointer<Int64>,
    curves: UnsafeMutablePointer<Int32>, changed: UnsafeMutablePointer<Int32>,
    runs: UnsafeMutablePointer<StageRun>, ramps: UnsafeMutablePointer<RampList>
  ) {
    self.capacity = capacity
    self.values = values
    self.identities = identities
    self.revisions = revisions
    self.chunkRevisions = chunkRevisions
    self.curves = curves
    self.changed = changed
    self.runs = runs
    self.ramps = ramps
  }

  /// Number of lists of ramps, one for each curve.
  package static let curveCount = 6
}

/// Stages next to each other whose ramps begin together with the same length and curve.
package struct StageRun: BitwiseCopyable {
  package var first: Int
  package var count: Int
  package var length: Int32
  package var curve: Curve

  package init(first: Int, count: Int, length: Int32, curve: Curve) {
    (self.first, self.count, self.length, self.curve) = (first, count, length, curve)
  }
}

/// The greatest `RampList.block`.
let longestBlock: Int32 = 512

/// The ramps of one curve. The tables have room for one register of elements after the last ramp.
package struct RampList: BitwiseCopyable {
  package var count = 0
  /// Number of these ramps whose stages are marked as at rest.
  package var stopped = 0
  /// Frames until the first ramp ends.
  package var remaining: Int32 = 0
  /// Whether all ramps began at the same time and have the same length, so that their progress is computed once.
  package var isShared = true
  /// Frames that have passed since the ramps began, their length in frames, and 1 / length, if `isShared`; the tables of these are not used
  /// then, nor is `blocks`.
  package var sharedElapsed: Int32 = 0
  package var sharedLength: Int32 = 1
  package var sharedInverse: Float = 1
  /// Frames over which all ramps may be replaced by parabolas, or twice those over which straight lines may replace them (`KernelState.block`).
  package var block: Int32 = 0
  /// Whether the stages of the ramps have consecutive indices.
  package var isDense = true
  package var stages: UnsafeMutablePointer<Int32>
  /// Frames that have passed since each ramp began.
  package var elapsed: UnsafeMutablePointer<Int32>
  /// Length of each ramp in frames.
  package var lengths: UnsafeMutablePointer<Int32>
  /// The same for each ramp.
  package var blocks: UnsafeMutablePointer<Int32>
  /// 1 / length of each ramp in frames.
  package var inverses: UnsafeMutablePointer<Float>
  /// Start of each ramp, and difference from start to end, in the quantity in which the curve is linear: amplitude, dB, fader
  /// position or power.
  package var starts: UnsafeMutablePointer<Float>
  package var spans: UnsafeMutablePointer<Float>
  /// Amplitude of each ramp after the last block.
  package var values: UnsafeMutablePointer<Float>

  package init(
    stages: UnsafeMutablePointer<Int32>, elapsed: UnsafeMutablePointer<Int32>,
    lengths: UnsafeMutablePointer<Int32>, blocks: UnsafeMutablePointer<Int32>,
    inverses: UnsafeMutablePointer<Float>,
    starts: UnsafeMutablePointer<Float>, spans: UnsafeMutablePointer<Float>,
    values: UnsafeMutablePointer<Float>
  ) {
    self.stages = stages
    self.elapsed = elapsed
    self.lengths = lengths
    self.blocks = blocks
    self.inverses = inverses
    self.starts = starts
    self.spans = spans
    self.values = values
  }
}
