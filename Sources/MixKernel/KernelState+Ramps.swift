internal import MixLoops
internal import MixLoopsV3

extension KernelState {
  /// Sends a stage that is at rest on its way.
  @_noLocks
  mutating func start(_ stage: Int, _ goal: StageGoal) {
    let curve = goal.curve
    let list = memory.pointee.ramps + Int(curve.rawValue)
    let place = list.pointee.count
    let begin = Law.quantity(memory.pointee.values[stage], curve)
    let span = Law.quantity(goal.target, curve) - begin
    list.pointee.stages[place] = Int32(truncatingIfNeeded: stage)
    list.pointee.elapsed[place] = 0
    list.pointee.lengths[place] = goal.frames
    list.pointee.blocks[place] = Self.block(Float(goal.frames), curve, span: span)
    list.pointee.inverses[place] = 1 / Float(goal.frames)
    list.pointee.starts[place] = begin
    list.pointee.spans[place] = span
    list.pointee.targets[place] = goal.target
    list.pointee.remaining = place == 0 ? goal.frames : min(list.pointee.remaining, goal.frames)
    list.pointee.count = place &+ 1
    memory.pointee.curves[stage] = curve.rawValue
    memory.pointee.places[stage] = Int32(truncatingIfNeeded: place)
    rampCount &+= 1
    rampsChanged = true
  }

  /// Takes a stage's ramp out of its list; the stage stays where it is.
  @_noLocks
  mutating func stop(_ stage: Int) {
    let curve = memory.pointee.curves[stage]
    guard curve >= 0 else { return }
    let list = memory.pointee.ramps + Int(curve)
    let place = Int(memory.pointee.places[stage])
    let last = list.pointee.count &- 1
    // The last ramp fills the gap.
    list.pointee.stages[place] = list.pointee.stages[last]
    list.pointee.elapsed[place] = list.pointee.elapsed[last]
    list.pointee.lengths[place] = list.pointee.lengths[last]
    list.pointee.blocks[place] = list.pointee.blocks[last]
    list.pointee.inverses[place] = list.pointee.inverses[last]
    list.pointee.starts[place] = list.pointee.starts[last]
    list.pointee.spans[place] = list.pointee.spans[last]
    list.pointee.targets[place] = list.pointee.targets[last]
    memory.pointee.places[Int(list.pointee.stages[place])] = Int32(truncatingIfNeeded: place)
    list.pointee.count = last
    memory.pointee.curves[stage] = -1
    rampCount &-= 1
    rampsChanged = true
  }

  /// Moves all ramps on; those that end are exactly at their targets.
  @_noLocks
  mutating func advance(frames: Int) {
    let step = Int32(truncatingIfNeeded: frames)
    for curve in 0..<StageMemory.curveCount {
      let list = memory.pointee.ramps + curve
      let count = list.pointee.count
      guard count > 0 else { continue }
      compute(list, Curve(rawValue: Int32(truncatingIfNeeded: curve)) ?? .linear, step)
      let (stages, values) = (list.pointee.stages, list.pointee.values)
      let present = memory.pointee.values
      for place in 0..<count { present[Int(stages[place])] = values[place] }
      list.pointee.remaining &-= step
      if list.pointee.remaining <= 0 { finish(list) }
    }
  }

  /// Ends the ramps that are over and finds out when the next one will be.
  @_noLocks
  private mutating func finish(_ list: UnsafeMutablePointer<RampList>) {
    var soonest = Int32.max
    var place = 0
    while place < list.pointee.count {
      let left = list.pointee.lengths[place] &- list.pointee.elapsed[place]
      if left <= 0 {
        let stage = Int(list.pointee.stages[place])
        memory.pointee.values[stage] = list.pointee.targets[place]
        stop(stage)
      } else {
        soonest = min(soonest, left)
        place &+= 1
      }
    }
    list.pointee.remaining = soonest
  }

  /// Finds out which groups move, and how finely.
  @_noLocks
  mutating func markMoving() {
    let structure = plan.pointee.structure
    let groups = structure.pointee.groups
    for group in 0..<structure.pointee.groupCount { groups[group].isMoving = false }
    sharedStageMoves = false
    var shortest = Int32(MixLoops.blockFrames)
    for curve in 0..<StageMemory.curveCount {
      let list = memory.pointee.ramps + curve
      for place in 0..<list.pointee.count {
        shortest = min(shortest, list.pointee.blocks[place])
        let stage = Int(list.pointee.stages[place])
        // A stage that the structure does not use any more runs out unheard.
        guard stage < structure.pointee.stageCount else { continue }
        if structure.pointee.stageIsShared[stage] { sharedStageMoves = true }
        let begin = Int(structure.pointee.stageGroupStart[stage])
        let end = Int(structure.pointee.stageGroupStart[stage &+ 1])
        for index in begin..<end { groups[Int(structure.pointee.stageGroups[index])].isMoving = true }
      }
    }
    rampBlock = shortest
    rampsChanged = false
  }

  /// Frames over which a ramp may go in a straight line: 8, 16, 32 or 64.
  ///
  /// The line is off by at most a thousandth of the greater amplitude, except that the fader's law has corners, where it is
  /// off by up to five. A thirtieth of a raised cosine is off by pi^2 / 16 / 30^2 of its height; a piece of d dB by
  /// (d ln 10 / 20)^2 / 8 of its amplitude, which for a thousandth is 0.78 dB, and the fader's travel of 1 counts as 45 dB.
  @_noLocks
  static func block(_ length: Float, _ curve: Curve, span: Float) -> Int32 {
    let travel = span < 0 ? -span : span
    let pieces: Float =
      switch curve {
      case .linear: 0
      case .raisedCosine: 30
      case .decibels: travel / 0.78
      case .fader: travel * 45 / 0.78
      case .sCurve: 30 + travel * 45 / 0.78 * 1.570_796_4
      }
    return length >= 64 * pieces ? 64 : length >= 32 * pieces ? 32 : length >= 16 * pieces ? 16 : 8
  }

  /// Frames of the next block while something moves.
  ///
  /// It ends where a ramp ends, but has at least 8 frames, or ramps that end one after another would cost the more the more
  /// of them there are; so a ramp may take up to 7 frames longer than it was told.
  @_noLocks
  func movingBlock() -> Int {
    var frames = rampBlock
    for curve in 0..<StageMemory.curveCount where memory.pointee.ramps[curve].count > 0 {
      frames = min(frames, memory.pointee.ramps[curve].remaining)
    }
    return Int(max(frames, 8))
  }

  @_noLocks
  private func compute(_ list: UnsafeMutablePointer<RampList>, _ curve: Curve, _ frames: Int32) {
    let (count, elapsed, inverse) = (list.pointee.count, list.pointee.elapsed, list.pointee.inverses)
    let (start, span, values) = (list.pointee.starts, list.pointee.spans, list.pointee.values)
    switch (curve, newer) {
    case (.raisedCosine, true):
      MixLoopsV3.advanceRaisedCosine(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.raisedCosine, false):
      MixLoops.advanceRaisedCosine(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.decibels, true):
      MixLoopsV3.advanceDecibels(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.decibels, false):
      MixLoops.advanceDecibels(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.fader, true):
      MixLoopsV3.advanceFader(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.fader, false):
      MixLoops.advanceFader(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.linear, true):
      MixLoopsV3.advanceLinear(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.linear, false):
      MixLoops.advanceLinear(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.sCurve, true):
      MixLoopsV3.advanceSCurve(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.sCurve, false):
      MixLoops.advanceSCurve(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    }
  }
}
