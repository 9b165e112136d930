internal import MixLoops
internal import MixLoopsV3

/// A stretch of time in which all gains go the same way to their targets, so that the ramps need no computation in each block.
struct Glide {
  var isOn = false
  /// The curve of all ramps.
  var curve = Curve.linear
  /// Frames of the ramps that had passed when the glide began.
  var begin: Int32 = 0
}

// With s the sum by the gains at the glide's begin, e the sum by the gains at its end and w the way of a frame, every frame of the glide is
// s + (e - s) w. This is exact if all ramps began together, have the same length and a curve that is one way from start to target, and if no gain
// is a product of two of them. A recall's fade takes seconds, and meanwhile only the ways are computed.
//
// A glide begins when its ramps, of 4,800 frames at least, are 256 frames old. It ends at the first plan that changes a level or the structure. So the
// samples do not depend on the server's periods, as far as blocks do not, nor on plans that change nothing.
//
// While gains glide, the stages have the amplitudes of the glide's end, each group has its first gains in `gains`, and its last ones in
// `nextGains`.

extension KernelState {
  /// Frames that a ramp must have run before its gains glide.
  private static let glideDelay: Int32 = 256
  /// The shortest ramps whose gains glide. What a plan costs that ends a glide would be more than a shorter one saves.
  private static let glideLength: Int32 = 4_800

  /// Begins a glide before the next block, if all gains can glide.
  /// - Returns: whether they glide.
  @_noLocks
  mutating func beginGlide() -> Bool {
    guard !sharedStageMoves, !hasMovingProducts() else { return false }
    let curve: Curve = memory.pointee.ramps[Int(Curve.linear.rawValue)].count > 0 ? .linear : .raisedCosine
    let list = memory.pointee.ramps + Int(curve.rawValue)
    // Near its end the rest of a ramp would be the difference of two numbers that are almost equal.
    let elapsed = list.pointee.sharedElapsed
    guard list.pointee.count == rampCount, list.pointee.isShared, elapsed >= Self.glideDelay,
      list.pointee.sharedLength >= Self.glideLength, elapsed <= list.pointee.sharedLength / 2
    else { return false }
    glide = Glide(isOn: true, curve: curve, begin: elapsed)
    let (values, targets) = (memory.pointee.values, plan.pointee.goals.targets)
    for place in 0..<list.pointee.count {
      let stage = Int(list.pointee.stages[place])
      values[stage] = targets[stage]
    }
    multiplyMoving()
    clearBends()
    return true
  }

  /// Sets the ways of the next block of a glide, and ends the ramps if they end with the block.
  @_noLocks
  mutating func goOnGliding(frames: Int) {
    let list = memory.pointee.ramps + Int(glide.curve.rawValue)
    let (elapsed, inverse) = (list.pointee.sharedElapsed, list.pointee.sharedInverse)
    let isEased = glide.curve == .raisedCosine
    if newer {
      MixLoopsV3.setGlideWays(
        scratch.ways, begin: glide.begin, elapsed: elapsed, inverse: inverse, isEased: isEased)
    } else {
      MixLoops.setGlideWays(
        scratch.ways, begin: glide.begin, elapsed: elapsed, inverse: inverse, isEased: isEased)
    }
    let step = Int32(truncatingIfNeeded: frames)
    list.pointee.sharedElapsed &+= step
    list.pointee.remaining &-= step
    guard list.pointee.remaining <= 0 else { return }
    glide.isOn = false
    finish(list)
  }

  /// Ends a glide where it is: stages and gains get their present values. Call it before anything else changes them.
  @_noLocks
  mutating func interruptGlide() {
    guard glide.isOn else { return }
    glide.isOn = false
    let list = memory.pointee.ramps + Int(glide.curve.rawValue)
    compute(list, glide.curve, 0)
    writeAmplitudes(list)
    multiplyMoving()
    let structure = plan.pointee.structure
    for index in 0..<structure.pointee.groupCount where structure.pointee.groups[index].isMoving {
      structure.pointee.groups[index].exchangeGains()
    }
  }
}
