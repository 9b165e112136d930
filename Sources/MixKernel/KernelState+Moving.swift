internal import MixLoops

extension KernelState {
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
}
