internal import CRealtime
internal import Synchronization

extension KernelState {
  /// Adopts the newest plan, if there is one. Call it first in every period.
  ///
  /// Stages that the old plan also had continue from their present amplitude; new stages begin at their initial amplitude.
  @_noLocks
  public mutating func adopt() {
    let begin = mr_ticks()
    (tally.periodBegin, tally.ready) = (begin, begin)
    // Usually no plan waits, and a load is cheaper than an exchange.
    guard exchange.pointee.pending.load(ordering: .relaxed) != nil,
      let next = exchange.pointee.pending.exchange(nil, ordering: .acquiringAndReleasing)
    else { return }
    let last = plan
    let isNewStructure = next.pointee.structure != last.pointee.structure
    // The meters belong to the channels of the old structure, so they are reported before it goes.
    if isNewStructure { report() }
    if isNewStructure || next.pointee.memory != memory { interruptGlide() }
    if next.pointee.memory != memory { move(to: next.pointee.memory) }
    plan = next
    if earlySerial > 0 { applyEarlyDecision() }
    let hasStep = followGoals(isNewStructure: isNewStructure)
    let hasNewLine = hasNewLine(last)
    if hasNewLine { interruptGlide() }
    if isNewStructure || hasStep || hasNewLine { multiplyEverything() }
    if isNewStructure { rampsChanged = true }
    exchange.pointee.adoptedSerial.store(next.pointee.serial, ordering: .releasing)
    exchange.pointee.retire(last)
    tally.ready = mr_ticks()
    tally.adopt &+= Tally.time(from: begin, to: tally.ready)
  }

  /// Whether a sink has a delay line now that it did not have in the last plan, which has the same structure.
  @_noLocks
  private func hasNewLine(_ last: UnsafeMutablePointer<Plan>) -> Bool {
    for sink in 0..<plan.pointee.structure.pointee.sinkCount
    where plan.pointee.lines[sink] != last.pointee.lines[sink] {
      return true
    }
    return false
  }

  /// Starts ramps of the stages whose levels the new plan changes. First all their old ramps stop, then the new ones begin, so that ramps
  /// that begin together are next to each other and are computed together. A ramp of no frames takes its stage to the target at once.
  /// - Returns: whether any stage went to its target at once.
  @_noLocks
  private mutating func followGoals(isNewStructure: Bool) -> Bool {
    let (goals, memory) = (plan.pointee.goals, memory.pointee)
    var (count, isStopping, hasStep) = (0, false, false)
    for stage in 0..<plan.pointee.stageCount {
      // The identities of stages change only together with the structure.
      let isNew = isNewStructure && goals.identities[stage] != memory.identities[stage]
      guard isNew || goals.revisions[stage] != memory.revisions[stage] else { continue }
      interruptGlide()
      if isNew {
        memory.identities[stage] = goals.identities[stage]
        memory.values[stage] = goals.initials[stage]
      }
      memory.revisions[stage] = goals.revisions[stage]
      if stop(stage) { isStopping = true }
      if goals.lengths[stage] == 0 {
        memory.values[stage] = goals.targets[stage]
        hasStep = true
      } else {
        memory.changed[count] = Int32(truncatingIfNeeded: stage)
        count &+= 1
      }
    }
    if isStopping { dropStopped() }
    start(memory.changed, count: count)
    return hasStep
  }

  /// Copies all present gains and ramps into larger memory.
  @_noLocks
  private mutating func move(to new: UnsafeMutablePointer<StageMemory>) {
    let count = memory.pointee.capacity
    copy(memory.pointee.values, new.pointee.values, count &* 4)
    copy(memory.pointee.identities, new.pointee.identities, count &* 4)
    copy(memory.pointee.revisions, new.pointee.revisions, count &* 4)
    copy(memory.pointee.curves, new.pointee.curves, count &* 4)
    for curve in 0..<StageMemory.curveCount {
      let (from, to) = (memory.pointee.ramps + curve, new.pointee.ramps + curve)
      let bytes = from.pointee.count &* 4
      to.pointee.count = from.pointee.count
      to.pointee.remaining = from.pointee.remaining
      to.pointee.isShared = from.pointee.isShared
      to.pointee.sharedElapsed = from.pointee.sharedElapsed
      to.pointee.sharedLength = from.pointee.sharedLength
      to.pointee.sharedInverse = from.pointee.sharedInverse
      to.pointee.block = from.pointee.block
      to.pointee.isDense = from.pointee.isDense
      copy(from.pointee.stages, to.pointee.stages, bytes)
      copy(from.pointee.elapsed, to.pointee.elapsed, bytes)
      copy(from.pointee.lengths, to.pointee.lengths, bytes)
      copy(from.pointee.blocks, to.pointee.blocks, bytes)
      copy(from.pointee.inverses, to.pointee.inverses, bytes)
      copy(from.pointee.starts, to.pointee.starts, bytes)
      copy(from.pointee.spans, to.pointee.spans, bytes)
      copy(from.pointee.values, to.pointee.values, bytes)
    }
    memory = new
  }

  @_noLocks
  private func copy(_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer, _ bytes: Int) {
    to.copyMemory(from: from, byteCount: bytes)
  }
}
