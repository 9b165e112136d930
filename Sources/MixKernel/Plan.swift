/// What the audio thread works by until the next one arrives: a structure and the levels of its stages.
///
/// The control side makes it, hands it over and frees it when it comes back; the audio thread only reads it. A change of
/// levels alone makes a new plan with the same structure.
package struct Plan: BitwiseCopyable {
  /// Counts publications.
  package var serial: UInt64
  /// What is connected to what.
  package var structure: UnsafeMutablePointer<PlanStructure>
  /// Where running stages live; another one than before when there are more stages than fit.
  package var memory: UnsafeMutablePointer<StageMemory>
  /// Entries of `stamps` and `goals`.
  package var stageCount: Int
  /// For each stage who it is (high half) and its revision (low half).
  package var stamps: UnsafeMutablePointer<UInt64>
  /// For each stage where it shall go.
  package var goals: UnsafeMutablePointer<StageGoal>
  /// Greatest magnitude let through, for each sink; infinity for captures.
  package var ceilings: UnsafeMutablePointer<Float>
  /// Wanted delay in frames, for each sink.
  package var delays: UnsafeMutablePointer<Int>
  /// The delay line of each sink that has ever been delayed.
  package var lines: UnsafeMutablePointer<UnsafeMutablePointer<DelayLine>?>
  /// Links plans that are done with on their way back.
  package var next: UnsafeMutablePointer<Plan>?

  package init(
    serial: UInt64, structure: UnsafeMutablePointer<PlanStructure>,
    memory: UnsafeMutablePointer<StageMemory>, stageCount: Int, stamps: UnsafeMutablePointer<UInt64>,
    goals: UnsafeMutablePointer<StageGoal>, ceilings: UnsafeMutablePointer<Float>,
    delays: UnsafeMutablePointer<Int>, lines: UnsafeMutablePointer<UnsafeMutablePointer<DelayLine>?>
  ) {
    self.serial = serial
    self.structure = structure
    self.memory = memory
    self.stageCount = stageCount
    self.stamps = stamps
    self.goals = goals
    self.ceilings = ceilings
    self.delays = delays
    self.lines = lines
  }
}

/// Where a stage shall go, and how.
package struct StageGoal: BitwiseCopyable {
  /// Wanted amplitude.
  package var target: Float
  /// Amplitude at which the stage starts if it is new.
  package var initial: Float
  /// Length of the ramp in frames, at least 1.
  package var frames: Int32
  /// Curve of the ramp.
  package var curve: Curve

  package init(target: Float, initial: Float, frames: Int32, curve: Curve) {
    (self.target, self.initial, self.frames, self.curve) = (target, initial, frames, curve)
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
