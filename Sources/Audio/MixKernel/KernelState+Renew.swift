internal import MixLoops
internal import MixLoopsV3

// A recall or a group of faders moves the same stages again and again, often before their last ramps have ended. The new ramps then take the places
// of the old ones. They begin at the amplitudes after the last block, which the list has: only their spans are written, and nothing has to find anew
// which gains move.

extension KernelState {
  /// Begins the ramps of a list anew, if the plan gives each of their stages another level, with one length and the same curve. Call it only
  /// if the structure stays.
  /// - Returns: the chunks whose stages follow the plan then.
  @_noLocks
  mutating func renewRamps() -> Range<Int> {
    let eased = memory.pointee.ramps + Int(Curve.raisedCosine.rawValue)
    return renew(eased.pointee.count > 0 ? .raisedCosine : .linear)
  }

  @_noLocks
  private mutating func renew(_ curve: Curve) -> Range<Int> {
    let list = memory.pointee.ramps + Int(curve.rawValue)
    // Before the first block of a ramp the list has no amplitudes.
    guard list.pointee.isDense, list.pointee.isShared, list.pointee.sharedElapsed > 0,
      list.pointee.count >= 2 &* MixLoops.chunkStages
    else { return 0..<0 }
    let first = Int(list.pointee.stages[0])
    let end = first &+ list.pointee.count
    // A ramp of a stage that no structure uses any more may run on.
    guard end <= plan.pointee.stageCount else { return 0..<0 }
    let chunks = (first &+ MixLoops.chunkStages &- 1) / MixLoops.chunkStages..<end / MixLoops.chunkStages
    let goal = plan.pointee.goals.chunks[chunks.lowerBound]
    guard goal.length > 0, goal.curve.rawValue == curve.rawValue, areNew(chunks, like: goal),
      areNew(first, to: chunks.lowerBound &* MixLoops.chunkStages, like: goal),
      areNew(chunks.upperBound &* MixLoops.chunkStages, to: end, like: goal)
    else { return 0..<0 }
    interruptGlide()
    (list.pointee.starts, list.pointee.values) = (list.pointee.values, list.pointee.starts)
    let targets = plan.pointee.goals.targets + first
    if newer {
      MixLoopsV3.setSpans(
        list.pointee.count, starts: list.pointee.starts, targets: targets, spans: list.pointee.spans)
    } else {
      MixLoops.setSpans(
        list.pointee.count, starts: list.pointee.starts, targets: targets, spans: list.pointee.spans)
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
    return chunks
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

  /// Whether the plan gives stages that share their chunk with others new levels, with the length and curve of a goal.
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
