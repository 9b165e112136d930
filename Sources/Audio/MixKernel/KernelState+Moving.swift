internal import MixLoops
internal import MixLoopsV3

extension KernelState {
  /// Finds the groups in which a ramp runs, and the longest block in which all ramps are nearly parabolas.
  @_noLocks
  mutating func markMoving() {
    let structure = plan.pointee.structure
    let groups = structure.pointee.groups
    for group in 0..<structure.pointee.groupCount { groups[group].isMoving = false }
    (sharedStageMoves, duckMoves, levelMoves) = (false, false, false)
    var shortest = longestBlock
    for curve in 0..<StageMemory.curveCount {
      let list = memory.pointee.ramps + curve
      let count = list.pointee.count
      guard count > 0 else { continue }
      shortest = min(shortest, list.pointee.block)
      var place = 0
      while place < count {
        let stage = Int(list.pointee.stages[place])
        let isChunk =
          place &+ MixLoops.chunkStages <= count && stage % MixLoops.chunkStages == 0
          && (list.pointee.isDense || isInOrder(list.pointee.stages + place))
        place &+= mark(stage, isChunk: isChunk)
      }
    }
    rampBlock = shortest
    rampsChanged = false
  }

  /// Whether 16 stages follow each other.
  @inline(always) @_noLocks
  private func isInOrder(_ stages: UnsafePointer<Int32>) -> Bool {
    let order = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) &+ stages[0]
    return Self.isZero(UnsafeRawPointer(stages).loadUnaligned(as: SIMD16<Int32>.self) ^ order)
  }

  /// Marks the groups of a stage as moving, or those of its chunk. Returns the number of stages that are done.
  @_noLocks
  private mutating func mark(_ stage: Int, isChunk: Bool) -> Int {
    let structure = plan.pointee.structure
    let groups = structure.pointee.groups
    // A stage that the structure no longer uses finishes its ramp unheard.
    guard stage < structure.pointee.stageCount else { return 1 }
    if structure.pointee.stageIsShared[stage] {
      sharedStageMoves = true
    } else if structure.pointee.stageIsDuck[stage] {
      duckMoves = true
    } else {
      levelMoves = true
    }
    let chunk = stage / MixLoops.chunkStages
    if isChunk, chunk < structure.pointee.stageCount / MixLoops.chunkStages {
      let group = Int(structure.pointee.chunkGroups[chunk])
      if group >= 0 {
        groups[group].isMoving = true
        return MixLoops.chunkStages
      }
    }
    let begin = Int(structure.pointee.stageGroupStart[stage])
    let end = Int(structure.pointee.stageGroupStart[stage &+ 1])
    for index in begin..<end { groups[Int(structure.pointee.stageGroups[index])].isMoving = true }
    return 1
  }

  /// The number of frames over which a ramp may be replaced by a parabola through its start, its middle and its end: 8, 16, 32 or 64. Beyond
  /// that, twice the number of frames over which it may be replaced by a straight line: 128, 256 or 512.
  ///
  /// The error is below -90 dB of the greater amplitude over each block, or five thousandths at the corners of the fader law and where an
  /// equal-power ramp comes near silence. A parabola over n frames of a curve with the third derivative d has an error of at most
  /// d n^3 / 125, and the root of its mean square is 0.72 of that. For a raised cosine d is pi^3 / 2 of its height over the cube of its
  /// length. A ramp over d dB has d ln 10 / 20 to the power of three, times its amplitude. The whole travel of a fader counts as 55 dB.
  ///
  /// A straight line over n frames of a curve with the second derivative d has an error of at most d n^2 / 8, which is to stay below -106 dB:
  /// smaller differences need no parabola (`findBends`). Amplitudes go up to +10 dB, so the root of d, times the length, is 4 for a raised
  /// cosine and for a product of two straight ramps, 0.21 for each dB, 8.2 for the whole travel of a fader, and 21.4 for an s curve. Equal
  /// power bends without limit near silence.
  @_noLocks
  static func block(_ length: Float, _ curve: Curve, span: Float) -> Int32 {
    let travel = span < 0 ? -span : span
    let pieces: Float =
      switch curve {
      case .linear: 0
      case .raisedCosine: 15
      case .equalPower: 60
      case .decibels: travel / 1.37
      case .fader: travel * 55 / 1.37
      case .sCurve: 15 + travel * 55 / 1.37 * 1.570_796_4
      }
    let bend: Float =
      switch curve {
      case .linear, .raisedCosine: 4
      case .equalPower: .infinity
      case .decibels: travel * 0.21
      case .fader: travel * 8.2
      case .sCurve: 21.4
      }
    let straight = length * 0.006_3
    if straight >= 64 * bend { return straight >= 256 * bend ? 512 : straight >= 128 * bend ? 256 : 128 }
    return length >= 64 * pieces ? 64 : length >= 32 * pieces ? 32 : length >= 16 * pieces ? 16 : 8
  }

  /// The length of the next block in frames, while ramps run.
  ///
  /// A block ends where a ramp ends, but has at least 8 frames: otherwise many ramps that end one after another would make many short
  /// blocks. So a ramp may take up to 7 frames longer than asked.
  @_noLocks
  func movingBlock() -> Int {
    // A product of two ramps bends more than each of them.
    // The ways of a glide are exact over any length.
    let longest = glide.isOn ? longestBlock : hasMovingProducts() ? rampBlock / 2 : rampBlock
    var frames = min(longest, Int32(MixLoops.blockFrames))
    for curve in 0..<StageMemory.curveCount where memory.pointee.ramps[curve].count > 0 {
      frames = min(frames, memory.pointee.ramps[curve].remaining)
    }
    return Int(max(frames, 8))
  }

  /// Whether a gain may be a product of ramps.
  @_noLocks
  func hasMovingProducts() -> Bool { rampCount > 1 && (sharedStageMoves || duckMoves && levelMoves) }

  /// Whether all gains go nearly straight in the next block. A product of at most four ramps bends as one of four times their steepness.
  @_noLocks
  private func isStraight() -> Bool {
    rampBlock >= Int32(MixLoops.blockFrames) &* (hasMovingProducts() ? 8 : 2)
  }

  /// Advances all ramps by a block, and computes all gains at its end, and in its middle where gains may leave the common way.
  @_noLocks
  mutating func moveGains(frames: Int) {
    if glide.isOn || beginGlide() { return goOnGliding(frames: frames) }
    let isExact = chooseWays(frames: frames)
    // A gain with one ramp goes the common way if that ramp does; a product of two ramps does not.
    let hasMiddle = frames > 1 && !isStraight() && !(isExact && !hasMovingProducts())
    let half = hasMiddle ? frames / 2 : 0
    middle = (0.5, 0)
    if hasMiddle {
      let way = scratch.ways[half &- 1]
      if way > 0.1, way < 0.9 { middle = (way, 1 / (way * (1 - way))) }
      advance(frames: half, isEnd: false)
      if sharedStageMoves { multiplyShared() }
      multiplyMiddle()
    }
    advance(frames: frames &- half, isEnd: true)
    if sharedStageMoves { multiplyShared() }
    multiplyMoving()
    if hasMiddle { findBends() } else { clearBends() }
  }

  /// Writes the common way of all gains in a block: that of the ramps if all began together and are raised cosines of the same length,
  /// otherwise a straight line. Returns whether all ramps go exactly this way.
  @_noLocks
  private func chooseWays(frames: Int) -> Bool {
    let eased = memory.pointee.ramps + Int(Curve.raisedCosine.rawValue)
    if eased.pointee.count == rampCount, eased.pointee.isShared {
      let (elapsed, inverse) = (eased.pointee.sharedElapsed, eased.pointee.sharedInverse)
      let isMoving =
        newer
        ? MixLoopsV3.setEasedWays(scratch.ways, frames: frames, elapsed: elapsed, inverse: inverse)
        : MixLoops.setEasedWays(scratch.ways, frames: frames, elapsed: elapsed, inverse: inverse)
      if isMoving { return true }
    }
    if newer {
      MixLoopsV3.setStraightWays(scratch.ways, frames: frames)
    } else {
      MixLoops.setStraightWays(scratch.ways, frames: frames)
    }
    return memory.pointee.ramps[Int(Curve.linear.rawValue)].count == rampCount
  }

  @_noLocks
  func clearBends() {
    let structure = plan.pointee.structure
    for group in 0..<structure.pointee.groupCount { structure.pointee.groups[group].isBending = false }
  }
}
