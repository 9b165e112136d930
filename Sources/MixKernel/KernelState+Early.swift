internal import Synchronization

extension KernelState {
  /// Starts towards the newest early level, if there is one that the plan in use has not decided on.
  @_noLocks
  mutating func followEarly() {
    let serial = exchange.pointee.early.written.load(ordering: .acquiring)
    guard serial != exchange.pointee.early.read.load(ordering: .relaxed) else { return }
    let decided = plan.pointee.earlyDecided
    // One whose forerunner's plan is not here yet waits for it.
    if serial > decided &+ 1 { return }
    early = exchange.pointee.early.places[Int(truncatingIfNeeded: serial % EarlyLevels.capacity)]
    exchange.pointee.early.read.store(serial, ordering: .releasing)
    guard serial > decided, hasEarlyStage() else { return }
    earlySerial = serial
    amend()
    let stage = Int(early.stage)
    if memory.pointee.curves[stage] >= 0 {
      memory.pointee.curves[stage] = -1
      dropStopped()
    }
    memory.pointee.changed[0] = early.stage
    start(memory.pointee.changed, count: 1)
  }

  /// Has the plan that was just taken decide on the early level that waits, or learn of it.
  ///
  /// Where the plan agrees, the ramp goes on as if nothing had come; where it does not, the stage starts towards what the plan
  /// wants. A plan that moves the stage without knowing of the level overtakes it.
  @_noLocks
  mutating func settleEarly() {
    let (goals, revisions, stage) = (plan.pointee.goals, memory.pointee.revisions, Int(early.stage))
    let isDecided = plan.pointee.earlyDecided >= earlySerial
    if !isDecided, hasEarlyStage(), goals.revisions[stage] == revisions[stage] { return amend() }
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

  /// Writes the early level into the plan in use, as if it had come with it: a ramp ends where its plan says.
  @_noLocks
  private func amend() {
    let (goals, stage) = (plan.pointee.goals, Int(early.stage))
    goals.targets[stage] = early.target
    goals.lengths[stage] = early.frames
    goals.curves[stage] = .raisedCosine
  }
}
