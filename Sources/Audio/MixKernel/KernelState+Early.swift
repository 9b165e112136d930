internal import MixLoops
internal import Synchronization

extension KernelState {
  /// Starts a ramp to the newest early level, if there is one that the plan in use has not decided about.
  @_noLocks
  mutating func startEarlyLevel() {
    let serial = exchange.pointee.early.written.load(ordering: .acquiring)
    guard serial != exchange.pointee.early.read.load(ordering: .relaxed) else { return }
    let decided = plan.pointee.earlyDecided
    // The plan that decides about the level before has not been adopted yet, so this level waits.
    if serial > decided &+ 1 { return }
    early = exchange.pointee.early.places[Int(truncatingIfNeeded: serial % EarlyLevels.capacity)]
    exchange.pointee.early.read.store(serial, ordering: .releasing)
    guard serial > decided, hasEarlyStage() else { return }
    earlySerial = serial
    interruptGlide()
    writeEarlyLevelIntoPlan()
    let stage = Int(early.stage)
    if stop(stage) { dropStopped() }
    memory.pointee.changed[0] = early.stage
    start(memory.pointee.changed, count: 1)
  }

  /// Applies the decision of the plan that was just adopted to the early level that is under way.
  ///
  /// - If the plan decides and has the same level, the ramp continues.
  /// - If the plan decides and has another level, the stage starts a ramp to the plan's level.
  /// - If the plan does not decide yet and leaves the stage alone, the early level is written into the plan, so that the ramp continues.
  /// - If the plan does not decide yet but changes the stage, the plan's level replaces the early one.
  @_noLocks
  mutating func applyEarlyDecision() {
    let (goals, revisions, stage) = (plan.pointee.goals, memory.pointee.revisions, Int(early.stage))
    splitChunk(stage / MixLoops.chunkStages)
    let isDecided = plan.pointee.earlyDecided >= earlySerial
    if !isDecided, hasEarlyStage(), goals.revisions[stage] == revisions[stage] {
      return writeEarlyLevelIntoPlan()
    }
    earlySerial = 0
    guard isDecided, hasEarlyStage() else { return }
    let isAgreed =
      goals.targets[stage] == early.target && goals.lengths[stage] == early.frames
      && goals.curves[stage] == .raisedCosine
    revisions[stage] = isAgreed ? goals.revisions[stage] : goals.revisions[stage] &- 1
  }

  /// Whether the plan in use has the stage of the early level.
  @_noLocks
  private func hasEarlyStage() -> Bool {
    let stage = Int(early.stage)
    return stage < plan.pointee.stageCount && plan.pointee.goals.identities[stage] == early.identity
  }

  /// Writes the early level into the plan in use, because every ramp takes its target from there.
  @_noLocks
  private func writeEarlyLevelIntoPlan() {
    let (goals, stage) = (plan.pointee.goals, Int(early.stage))
    goals.targets[stage] = early.target
    goals.lengths[stage] = early.frames
    goals.curves[stage] = .raisedCosine
    let chunk = stage / MixLoops.chunkStages
    if chunk < plan.pointee.stageCount / MixLoops.chunkStages { goals.chunks[chunk].isUniform = false }
  }
}
