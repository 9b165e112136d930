internal import CRealtime
internal import Synchronization

extension KernelState {
  /// Takes the newest plan, if one waits. Call it first in every period.
  ///
  /// Stages that the old plan had too go on from where they are; the others begin at their initial amplitude.
  @_noLocks
  public mutating func adopt() {
    let begin = mr_ticks()
    (tally.periodBegin, tally.ready) = (begin, begin)
    // A load is cheaper than an exchange, and mostly there is nothing.
    guard exchange.pointee.pending.load(ordering: .relaxed) != nil,
      let next = exchange.pointee.pending.exchange(nil, ordering: .acquiringAndReleasing)
    else { return }
    let last = plan
    let isNewStructure = next.pointee.structure != last.pointee.structure
    // Meters belong to the channels of the structure that they were measured with.
    if isNewStructure { report() }
    if next.pointee.memory != memory { move(to: next.pointee.memory) }
    plan = next
    if earlySerial > 0 { settleEarly() }
    followGoals(isNewStructure: isNewStructure)
    if isNewStructure || hasNewLine(last) { multiplyEverything() }
    if isNewStructure { rampsChanged = true }
    exchange.pointee.adoptedSerial.store(next.pointee.serial, ordering: .releasing)
    exchange.pointee.retire(last)
    tally.ready = mr_ticks()
    tally.adopt &+= Tally.time(from: begin, to: tally.ready)
  }

  /// Whether a sink is delayed that was not in a plan of the same structure.
  @_noLocks
  private func hasNewLine(_ last: UnsafeMutablePointer<Plan>) -> Bool {
    for sink in 0..<plan.pointee.structure.pointee.sinkCount
    where plan.pointee.lines[sink] != last.pointee.lines[sink] {
      return true
    }
    return false
  }

  /// Starts what the new plan wants otherwise than the last one did: first all that is under way stops, then all begins, so that
  /// what begins together is computed together.
  @_noLocks
  private mutating func followGoals(isNewStructure: Bool) {
    let (goals, memory) = (plan.pointee.goals, memory.pointee)
    var (count, isStopping) = (0, false)
    for stage in 0..<plan.pointee.stageCount {
      // Who stages are changes with the structure alone.
      let isNew = isNewStructure && goals.identities[stage] != memory.identities[stage]
      guard isNew || goals.revisions[stage] != memory.revisions[stage] else { continue }
      if isNew {
        memory.identities[stage] = goals.identities[stage]
        memory.values[stage] = goals.initials[stage]
      }
      memory.revisions[stage] = goals.revisions[stage]
      if memory.curves[stage] >= 0 {
        memory.curves[stage] = -1
        isStopping = true
      }
      memory.changed[count] = Int32(truncatingIfNeeded: stage)
      count &+= 1
    }
    if isStopping { dropStopped() }
    start(memory.changed, count: count)
  }

  /// Takes over all running values into larger memory.
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
      to.pointee.isDense = from.pointee.isDense
      copy(from.pointee.stages, to.pointee.stages, bytes)
      copy(from.pointee.elapsed, to.pointee.elapsed, bytes)
      copy(from.pointee.lengths, to.pointee.lengths, bytes)
      copy(from.pointee.blocks, to.pointee.blocks, bytes)
      copy(from.pointee.inverses, to.pointee.inverses, bytes)
      copy(from.pointee.starts, to.pointee.starts, bytes)
      copy(from.pointee.spans, to.pointee.spans, bytes)
    }
    memory = new
  }

  @_noLocks
  private func copy(_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer, _ bytes: Int) {
    to.copyMemory(from: from, byteCount: bytes)
  }
}
