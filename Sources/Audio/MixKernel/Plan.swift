package import MediaKernel

/// A structure and the wanted levels of its stages: all that the audio thread needs until the next plan arrives.
///
/// The control side makes a plan, publishes it, and frees it after the audio thread has given it back. The audio thread
/// only reads it, except that it writes an early level into its goals. A change of levels alone makes a new plan with the same structure.
package struct Plan: BitwiseCopyable {
  /// Number of the plan; every published plan gets the next one.
  package var serial: UInt64
  /// Channels, rows, crosspoints and their stages.
  package var structure: UnsafeMutablePointer<PlanStructure>
  /// Memory for the present gains of the stages. A plan with more stages than fit brings larger memory.
  package var memory: UnsafeMutablePointer<StageMemory>
  package var stageCount: Int
  /// Number of the last early level that this plan decides about.
  package var earlyDecided: UInt64
  package var goals: StageGoals
  /// Wanted delay of each sink in frames.
  package var delays: UnsafeMutablePointer<Int>
  /// The delay line of each sink that was ever delayed, nil for the others. The table is filled up to whole groups.
  package var lines: UnsafeMutablePointer<UnsafeMutablePointer<DelayLine>?>
  /// The newest order for each player and each recorder of the structure; nil if there are none.
  package var deckOrders: UnsafeMutablePointer<DeckOrder>?
  package var tapOrders: UnsafeMutablePointer<TapOrder>?
  /// The next plan in the list of plans that the audio thread has given back.
  package var next: UnsafeMutablePointer<Plan>?

  package init(
    serial: UInt64, structure: UnsafeMutablePointer<PlanStructure>,
    memory: UnsafeMutablePointer<StageMemory>, stageCount: Int, earlyDecided: UInt64, goals: StageGoals,
    delays: UnsafeMutablePointer<Int>, lines: UnsafeMutablePointer<UnsafeMutablePointer<DelayLine>?>,
    deckOrders: UnsafeMutablePointer<DeckOrder>?, tapOrders: UnsafeMutablePointer<TapOrder>?
  ) {
    self.serial = serial
    self.structure = structure
    self.memory = memory
    self.stageCount = stageCount
    self.earlyDecided = earlyDecided
    self.goals = goals
    self.delays = delays
    self.lines = lines
    (self.deckOrders, self.tapOrders) = (deckOrders, tapOrders)
  }
}

/// The wanted level of every stage, and the ramp to it. There is one table for each property, because the audio thread must fetch them
/// from another core's cache and usually needs only some of them.
package struct StageGoals: BitwiseCopyable {
  /// A number that tells the stage from others that had the same index before. It changes only together with the structure.
  package var identities: UnsafeMutablePointer<UInt32>
  /// Number of the last change; a stage starts a ramp when it changes.
  package var revisions: UnsafeMutablePointer<UInt32>
  /// Wanted amplitudes.
  package var targets: UnsafeMutablePointer<Float>
  /// Amplitudes at which new stages start.
  package var initials: UnsafeMutablePointer<Float>
  /// Lengths of the ramps in frames, at least 1.
  package var lengths: UnsafeMutablePointer<Int32>
  package var curves: UnsafeMutablePointer<Curve>
  /// What the stages of each whole chunk have in common.
  package var chunks: UnsafeMutablePointer<GoalChunk>

  package init(
    identities: UnsafeMutablePointer<UInt32>, revisions: UnsafeMutablePointer<UInt32>,
    targets: UnsafeMutablePointer<Float>, initials: UnsafeMutablePointer<Float>,
    lengths: UnsafeMutablePointer<Int32>, curves: UnsafeMutablePointer<Curve>,
    chunks: UnsafeMutablePointer<GoalChunk>
  ) {
    (self.identities, self.revisions) = (identities, revisions)
    (self.targets, self.initials) = (targets, initials)
    (self.lengths, self.curves, self.chunks) = (lengths, curves, chunks)
  }
}

/// What 16 stages next to each other have in common. Where one plan moves many stages, the audio thread fetches this in the place of three
/// tables.
package struct GoalChunk: BitwiseCopyable {
  /// Revision, length and curve of all stages of the chunk, if `isUniform`.
  package var revision: UInt32
  package var length: Int32
  package var curve: Curve
  package var isUniform: Bool

  package init(revision: UInt32, length: Int32, curve: Curve, isUniform: Bool) {
    (self.revision, self.length, self.curve, self.isUniform) = (revision, length, curve, isUniform)
  }
}

/// The curve of a ramp; `Ramp.Shape` says what each is used for.
package enum Curve: Int32, BitwiseCopyable {
  /// Raised cosine in amplitude.
  case raisedCosine
  /// Linear in dB.
  case decibels
  /// The fader moves at constant speed.
  case fader
  /// Linear in amplitude.
  case linear
  /// The fader moves slowly at both ends and faster in between.
  case sCurve
  /// Raised cosine in power.
  case equalPower
}
