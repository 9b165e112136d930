/// The running values of all stages, and the ramps that are under way.
///
/// Stage 0 is always 0 (no crosspoint) and stage 1 always 1 (nothing in the way). Stages at rest cost nothing: the ramps are
/// kept side by side, one list for each curve, in the order in which they began.
package struct StageMemory: BitwiseCopyable {
  /// Stages that fit.
  package var capacity: Int
  /// Present amplitude of each stage.
  package var values: UnsafeMutablePointer<Float>
  /// Who each stage is and which revision it follows, as last seen.
  package var identities: UnsafeMutablePointer<UInt32>
  package var revisions: UnsafeMutablePointer<UInt32>
  /// List that holds a stage's ramp, as `Curve.rawValue`, or -1 at rest.
  package var curves: UnsafeMutablePointer<Int32>
  /// Room for the stages that a new plan wants elsewhere.
  package var changed: UnsafeMutablePointer<Int32>
  /// One list for each curve.
  package var ramps: UnsafeMutablePointer<RampList>

  package init(
    capacity: Int, values: UnsafeMutablePointer<Float>, identities: UnsafeMutablePointer<UInt32>,
    revisions: UnsafeMutablePointer<UInt32>,
    curves: UnsafeMutablePointer<Int32>, changed: UnsafeMutablePointer<Int32>,
    ramps: UnsafeMutablePointer<RampList>
  ) {
    self.capacity = capacity
    self.values = values
    self.identities = identities
    self.revisions = revisions
    self.curves = curves
    self.changed = changed
    self.ramps = ramps
  }

  /// Lists of ramps: one for each curve.
  package static let curveCount = 5
}

/// Ramps of one curve; arrays have room for a whole register beyond the last.
package struct RampList: BitwiseCopyable {
  package var count = 0
  /// Frames until the first of them ends.
  package var remaining: Int32 = 0
  /// Whether all began at the same time and have the same length, so that where they are is computed once.
  package var isShared = true
  /// Frames that they have run if so; `elapsed` then says nothing.
  package var sharedElapsed: Int32 = 0
  /// Whether their stages are side by side, in order.
  package var isDense = true
  package var stages: UnsafeMutablePointer<Int32>
  /// Frames that each has run.
  package var elapsed: UnsafeMutablePointer<Int32>
  package var lengths: UnsafeMutablePointer<Int32>
  /// Frames over which each may go in a straight line.
  package var blocks: UnsafeMutablePointer<Int32>
  package var inverses: UnsafeMutablePointer<Float>
  /// Start and way in the quantity that the curve runs in: amplitude, dB or fader position.
  package var starts: UnsafeMutablePointer<Float>
  package var spans: UnsafeMutablePointer<Float>
  /// Amplitudes after the last block.
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
