internal import CRealtime
internal import MixLoops
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
    let renewed = isNewStructure ? 0..<0 : renewRamps()
    let hasStep = followGoals(isNewStructure: isNewStructure, but: renewed)
    let hasNewLine = !isNewStructure && hasNewLine(last)
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
  /// - Parameter renewed: chunks of stages that follow the plan already.
  /// - Returns: whether any stage went to its target at once.
  @_noLocks
  private mutating func followGoals(isNewStructure: Bool, but renewed: Range<Int>) -> Bool {
    var follower = Follower()
    let wholeChunks = plan.pointee.stageCount / MixLoops.chunkStages
    followChunks(0..<renewed.lowerBound, isNewStructure: isNewStructure, &follower)
    followChunks(renewed.upperBound..<wholeChunks, isNewStructure: isNewStructure, &follower)
    follow(
      wholeChunks &* MixLoops.chunkStages, to: plan.pointee.stageCount, isNewStructure: isNewStructure,
      &follower)
    if follower.isStopping { dropStopped() }
    startAll(follower)
    return follower.hasStep
  }

  /// Follows chunks of stages: each as one where its stages are alike, otherwise stage by stage.
  @_noLocks
  private mutating func followChunks(
    _ chunks: Range<Int>, isNewStructure: Bool, _ follower: inout Follower
  ) {
    for chunk in chunks {
      let goal = plan.pointee.goals.chunks[chunk]
      let known = memory.pointee.chunkRevisions[chunk]
      if !isNewStructure, goal.isUniform, known >= 0 {
        if known == Int64(goal.revision) { continue }
        if goal.length > 0 {
          follow(chunk, goal, &follower)
          continue
        }
      }
      splitChunk(chunk)
      let first = chunk &* MixLoops.chunkStages
      follow(first, to: first &+ MixLoops.chunkStages, isNewStructure: isNewStructure, &follower)
      if goal.isUniform { memory.pointee.chunkRevisions[chunk] = Int64(goal.revision) }
    }
  }

  /// Starts all ramps in the order of their stages, so that those next to each other stay so.
  @_noLocks
  private mutating func startAll(_ follower: Follower) {
    let changed = memory.pointee.changed
    var done = 0
    for index in 0..<follower.runs {
      let run = memory.pointee.runs[index]
      var end = done
      while end < follower.changed, Int(changed[end]) < run.first { end &+= 1 }
      start(changed + done, count: end &- done)
      done = end
      start(run)
    }
    start(changed + done, count: follower.changed &- done)
  }

  /// What was found while the stages of a plan were looked at.
  private struct Follower {
    /// Numbers of stages and of runs that begin ramps.
    var changed = 0
    var runs = 0
    var isStopping = false
    var hasStep = false
  }

  /// Follows a chunk of stages that all change together, and notes it as a run or as the end of the last run.
  @_noLocks
  private mutating func follow(_ chunk: Int, _ goal: GoalChunk, _ follower: inout Follower) {
    interruptGlide()
    let first = chunk &* MixLoops.chunkStages
    memory.pointee.chunkRevisions[chunk] = Int64(goal.revision)
    if stopChunk(first) { follower.isStopping = true }
    let runs = memory.pointee.runs
    if follower.runs > 0 {
      let last = runs + (follower.runs &- 1)
      if last.pointee.first &+ last.pointee.count == first, last.pointee.length == goal.length,
        last.pointee.curve.rawValue == goal.curve.rawValue
      {
        last.pointee.count &+= MixLoops.chunkStages
        return
      }
    }
    runs[follower.runs] = StageRun(
      first: first, count: MixLoops.chunkStages, length: goal.length, curve: goal.curve)
    follower.runs &+= 1
  }

  /// Follows stages one by one.
  @_noLocks
  private mutating func follow(_ first: Int, to end: Int, isNewStructure: Bool, _ follower: inout Follower) {
    let (goals, memory) = (plan.pointee.goals, memory.pointee)
    for stage in first..<end {
      // The identities of stages change only together with the structure.
      let isNew = isNewStructure && goals.identities[stage] != memory.identities[stage]
      guard isNew || goals.revisions[stage] != memory.revisions[stage] else { continue }
      interruptGlide()
      if isNew {
        memory.identities[stage] = goals.identities[stage]
        memory.values[stage] = goals.initials[stage]
      }
      memory.revisions[stage] = goals.revisions[stage]
      if stop(stage) { follower.isStopping = true }
      if goals.lengths[stage] == 0 {
        memory.values[stage] = goals.targets[stage]
        follower.hasStep = true
      } else {
        memory.changed[follower.changed] = Int32(truncatingIfNeeded: stage)
        follower.changed &+= 1
      }
    }
  }

  /// Gives each stage of a chunk a revision of its own.
  @_noLocks
  func splitChunk(_ chunk: Int) {
    let revision = memory.pointee.chunkRevisions[chunk]
    guard revision >= 0 else { return }
    memory.pointee.chunkRevisions[chunk] = -1
    let first = chunk &* MixLoops.chunkStages
    for stage in first..<first &+ MixLoops.chunkStages {
      memory.pointee.revisions[stage] = UInt32(truncatingIfNeeded: revision)
    }
  }

  /// Copies all present gains and ramps into larger memory.
  @_noLocks
  private mutating func move(to new: UnsafeMutablePointer<StageMemory>) {
    let count = memory.pointee.capacity
    copy(memory.pointee.values, new.pointee.values, count &* 4)
    copy(memory.pointee.identities, new.pointee.identities, count &* 4)
    copy(memory.pointee.revisions, new.pointee.revisions, count &* 4)
    copy(memory.pointee.chunkRevisions, new.pointee.chunkRevisions, count / MixLoops.chunkStages &* 8)
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
