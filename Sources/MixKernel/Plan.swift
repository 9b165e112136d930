/// What the audio thread works by until the next one arrives: a structure and the levels of its stages.
///
/// The control side makes it, hands it over and frees it when it comes back; the audio thread reads it, and writes an early
/// level into its goals. A change of levels alone makes a new plan with the same structure.
package struct Plan: BitwiseCopyable {
  /// Counts publications.
  package var serial: UInt64
  /// What is connected to what.
  package var structure: UnsafeMutablePointer<PlanStructure>
  /// Where running stages live; another one than before when there are more stages than fit.
  package var memory: UnsafeMutablePointer<StageMemory>
  package var stageCount: Int
  /// Number of the last early level that this plan decides on.
  package var earlyDecided: UInt64
  package var goals: StageGoals
  /// Greatest magnitude let through, for each sink and up to whole groups; infinity for captures.
  package var ceilings: UnsafeMutablePointer<Float>
  /// Wanted delay in frames, for each sink.
  package var delays: UnsafeMutablePointer<Int>
  /// The delay line of each sink that has ever been delayed; nil for others and up to whole groups.
  package var lines: UnsafeMutablePointer<UnsafeMutablePointer<DelayLine>?>
  /// Links plans that are done with on their way back.
  package var next: UnsafeMutablePointer<Plan>?

  package init(
    serial: UInt64, structure: UnsafeMutablePointer<PlanStructure>,
    memory: UnsafeMutablePointer<StageMemory>, stageCount: Int, earlyDecided: UInt64, goals: StageGoals,
    ceilings: UnsafeMutablePointer<Float>,
    delays: UnsafeMutablePointer<Int>, lines: UnsafeMutablePointer<UnsafeMutablePointer<DelayLine>?>
  ) {
    self.serial = serial
    self.structure = structure
    self.memory = memory
    self.stageCount = stageCount
    self.earlyDecided = earlyDecided
    self.goals = goals
    self.ceilings = ceilings
    self.delays = delays
    self.lines = lines
  }
}

/// Where every stage shall go, and how: one table for each property, because the audio thread fetches them from another core's
/// cache, and mostly needs few of them.
package struct StageGoals: BitwiseCopyable {
  /// Who each stage is; changes only with the structure.
  package var identities: UnsafeMutablePointer<UInt32>
  /// A stage starts towards its target when this changes.
  package var revisions: UnsafeMutablePointer<UInt32>
  /// Wanted amplitudes.
  package var targets: UnsafeMutablePointer<Float>
  /// Amplitudes at which new stages start.
  package var initials: UnsafeMutablePointer<Float>
  /// Lengths of the ramps in frames, at least 1.
  package var lengths: UnsafeMutablePointer<Int32>
  package var curves: UnsafeMutablePointer<Curve>

  package init(
    identities: UnsafeMutablePointer<UInt32>, revisions: UnsafeMutablePointer<UInt32>,
    targets: UnsafeMutablePointer<Float>, initials: UnsafeMutablePointer<Float>,
    lengths: UnsafeMutablePointer<Int32>, curves: UnsafeMutablePointer<Curve>
  ) {
    (self.identities, self.revisions) = (identities, revisions)
    (self.targets, self.initials) = (targets, initials)
    (self.lengths, self.curves) = (lengths, curves)
  }
}

/// The curve of a ramp; `osc.md` section 1 says what each is for.
package enum Curve: Int32, BitwiseCopyable {
  /// Raised cosine in amplitude.
  case raisedCosine
  /// Linear in dB.
  case decibels
  /// Along the fader's travel at constant speed.
  case fader
  /// Linear in amplitude.
  case linear
  /// Along the fader's travel, slow at both ends.
  case sCurve
}
