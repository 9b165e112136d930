internal import MixLoops

extension KernelState {
  /// Finds the groups in which a ramp runs, and the longest block in which all ramps are nearly straight.
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
        // A stage that the structure no longer uses finishes its ramp unheard.
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

  /// The number of frames over which a ramp may be replaced by a straight line: 8, 16, 32 or 64.
  ///
  /// The error is at most a thousandth of the greater amplitude, or five thousandths at the corners of the fader law and where an
  /// equal-power ramp comes near silence. If a raised cosine is cut into 30 pieces, the error of each is pi^2 / 16 / 30^2 of its height. A
  /// straight line over d dB has an error of (d ln 10 / 20)^2 / 8 of its amplitude, which is a thousandth for 0.78 dB; the whole travel of
  /// a fader counts as 45 dB.
  @_noLocks
  static func block(_ length: Float, _ curve: Curve, span: Float) -> Int32 {
    let travel = span < 0 ? -span : span
    let pieces: Float =
      switch curve {
      case .linear: 0
      case .raisedCosine: 30
      case .equalPower: 60
      case .decibels: travel / 0.78
      case .fader: travel * 45 / 0.78
      case .sCurve: 30 + travel * 45 / 0.78 * 1.570_796_4
      }
    return length >= 64 * pieces ? 64 : length >= 32 * pieces ? 32 : length >= 16 * pieces ? 16 : 8
  }

  /// The length of the next block in frames, while ramps run.
  ///
  /// A block ends where a ramp ends, but has at least 8 frames: otherwise many ramps that end one after another would make many short
  /// blocks. So a ramp may take up to 7 frames longer than asked.
  @_noLocks
  func movingBlock() -> Int {
    var frames = rampBlock
    for curve in 0..<StageMemory.curveCount where memory.pointee.ramps[curve].count > 0 {
      frames = min(frames, memory.pointee.ramps[curve].remaining)
    }
    return Int(max(frames, 8))
  }
}
