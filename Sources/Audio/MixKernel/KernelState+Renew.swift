internal import MixLoops
internal import MixLoopsV3

// A recall or a group of faders moves the same stages again and again, often before their last ramps have ended. The new ramps then take the places
// of the old ones: only their starts and spans are written, and nothing has to find anew which gains move.

extension KernelState {
  /// Begins the ramps of a list anew, if the plan gives each of their stages another level, with one length and the same curve. What it has
  /// done, `followGoals` finds done. Call it only if the structure stays.
  @_noLocks
  mutating func renewRamps() {
    renew(.raisedCosine)
    renew(.linear)
  }

  @_noLocks
  private mutating func renew(_ curve: Curve) {
    let list = memory.pointee.ramps + Int(curve.rawValue)
    guard list.pointee.isDense, list.pointee.isShared, list.pointee.count >= 2 &* MixLoops.chunkStages else {
      return
    }
    let first = Int(list.pointee.stages[0])
    let end = first &+ list.pointee.count
    let chunks = (first &+ MixLoops.chunkStages &- 1) / MixLoops.chunkStages..<end / MixLoops.chunkStages
    let goal = plan.pointee.goals.chunks[chunks.lowerBound]
    guard goal.length > 0, goal.curve.rawValue == curve.rawValue, end <= plan.pointee.stageCount,
      areNew(chunks, like: goal),
      areNew(first, to: chunks.lowerBound &* MixLoops.chunkStages, like: goal),
      areNew(chunks.upperBound &* MixLoops.chunkStages, to: end, like: goal)
    else { return }
    interruptGlide()
    let (values, targets) = (memory.pointee.values + first, plan.pointee.goals.targets + first)
    if newer {
      MixLoopsV3.renewRamps(
        list.pointee.count, values: values, targets: targets, starts: list.pointee.starts,
        spans: list.pointee.spans)
    } else {
      MixLoops.renewRamps(
        list.pointee.count, values: values, targets: targets, starts: list.pointee.starts,
        spans: list.pointee.spans)
    }
    for chunk in chunks {
      memory.pointee.chunkRevisions[chunk] = Int64(plan.pointee.goals.chunks[chunk].revision)
    }
    noteRevisions(first, to: chunks.lowerBound &* MixLoops.chunkStages)
    noteRevisions(chunks.upperBound &* MixLoops.chunkStages, to: end)
    let block = Self.block(Float(goal.length), curve, span: 0)
    if block != list.pointee.block { rampsChanged = true }
    list.pointee.block = block
    list.pointee.sharedElapsed = 0
    list.pointee.sharedLength = goal.length
    list.pointee.sharedInverse = 1 / Float(goal.length)
    list.pointee.remaining = goal.length
  }

  /// Whether the plan gives all stages of some chunks new levels, each chunk with one revision, and all with one length and curve.
  @_noLocks
  private func areNew(_ chunks: Range<Int>, like goal: GoalChunk) -> Bool {
    let (goals, revisions) = (plan.pointee.goals.chunks, memory.pointee.chunkRevisions)
    for chunk in chunks {
      let (new, known) = (goals[chunk], revisions[chunk])
      guard new.isUniform, known >= 0, known != Int64(new.revision), new.length == goal.length,
        new.curve.rawValue == goal.curve.rawValue
      else { return false }
    }
    return true
  }

  /// The same for stages in a chunk with others.
  @_noLocks
  private func areNew(_ first: Int, to end: Int, like goal: GoalChunk) -> Bool {
    let goals = plan.pointee.goals
    for stage in first..<end {
      guard memory.pointee.chunkRevisions[stage / MixLoops.chunkStages] < 0,
        goals.revisions[stage] != memory.pointee.revisions[stage], goals.lengths[stage] == goal.length,
        goals.curves[stage].rawValue == goal.curve.rawValue
      else { return false }
    }
    return true
  }

  @_noLocks
  private func noteRevisions(_ first: Int, to end: Int) {
    for stage in first..<end { memory.pointee.revisions[stage] = plan.pointee.goals.revisions[stage] }
  }
}
