internal import MixLoops

extension KernelState {
  /// Starts ramps of stages that are at rest to their targets. A stage that is at its target already gets no ramp.
  @_noLocks
  mutating func start(_ stages: UnsafeMutablePointer<Int32>, count: Int) {
    let (goals, values) = (plan.pointee.goals, memory.pointee.values)
    // Usually all ramps have the same length, so its inverse is computed once.
    var (frames, inverse): (Int32, Float) = (1, 1)
    for index in 0..<count {
      let stage = Int(stages[index])
      let target = goals.targets[stage]
      guard values[stage] != target else { continue }
      let length = goals.lengths[stage]
      if length != frames { (frames, inverse) = (length, 1 / Float(length)) }
      start(stage, target, goals.curves[stage], frames, inverse: inverse)
      rampCount &+= 1
      rampsChanged = true
    }
  }

  /// Starts one ramp.
  /// - Parameter inverse: 1 / length of the ramp in frames.
  @_noLocks
  private func start(_ stage: Int, _ target: Float, _ curve: Curve, _ frames: Int32, inverse: Float) {
    let list = memory.pointee.ramps + Int(curve.rawValue)
    let place = list.pointee.count
    if place == 0 {
      list.pointee.isShared = true
      list.pointee.sharedElapsed = 0
      list.pointee.isDense = true
      list.pointee.remaining = frames
    } else {
      if list.pointee.isShared, list.pointee.sharedElapsed != 0 || list.pointee.lengths[0] != frames {
        separate(list)
      }
      if Int(list.pointee.stages[place &- 1]) != stage &- 1 { list.pointee.isDense = false }
      list.pointee.remaining = min(list.pointee.remaining, frames)
    }
    let begin = RampQuantity.of(memory.pointee.values[stage], curve)
    let span = RampQuantity.of(target, curve) - begin
    list.pointee.stages[place] = Int32(truncatingIfNeeded: stage)
    list.pointee.elapsed[place] = 0
    list.pointee.lengths[place] = frames
    list.pointee.blocks[place] = Self.block(Float(frames), curve, span: span)
    list.pointee.inverses[place] = inverse
    list.pointee.starts[place] = begin
    list.pointee.spans[place] = span
    list.pointee.count = place &+ 1
    memory.pointee.curves[stage] = curve.rawValue
  }

  /// Makes each ramp of a list count its own frames, because a ramp with another beginning or length joins the list.
  @_noLocks
  private func separate(_ list: UnsafeMutablePointer<RampList>) {
    for place in 0..<list.pointee.count { list.pointee.elapsed[place] = list.pointee.sharedElapsed }
    list.pointee.isShared = false
  }

  /// Removes the ramps of stages that are marked as at rest from the lists. The stages keep their present amplitudes.
  @_noLocks
  mutating func dropStopped() {
    let curves = memory.pointee.curves
    for curve in 0..<StageMemory.curveCount {
      let list = memory.pointee.ramps + curve
      var kept = 0
      for place in 0..<list.pointee.count where curves[Int(list.pointee.stages[place])] >= 0 {
        if kept != place {
          list.pointee.stages[kept] = list.pointee.stages[place]
          list.pointee.elapsed[kept] = list.pointee.elapsed[place]
          list.pointee.lengths[kept] = list.pointee.lengths[place]
          list.pointee.blocks[kept] = list.pointee.blocks[place]
          list.pointee.inverses[kept] = list.pointee.inverses[place]
          list.pointee.starts[kept] = list.pointee.starts[place]
          list.pointee.spans[kept] = list.pointee.spans[place]
          list.pointee.isDense = false
        }
        kept &+= 1
      }
      if kept == list.pointee.count { continue }
      rampCount &-= list.pointee.count &- kept
      rampsChanged = true
      list.pointee.count = kept
    }
  }

  /// Advances all ramps. A ramp that ends sets its stage exactly to its target.
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
      if list.pointee.isDense {
        UnsafeMutableRawPointer(present + Int(stages[0])).copyMemory(from: values, byteCount: count &* 4)
      } else {
        for place in 0..<count { present[Int(stages[place])] = values[place] }
      }
      list.pointee.remaining &-= step
      if list.pointee.remaining <= 0 { finish(list) }
    }
  }

  /// Ends the ramps of a list whose time has passed, and computes when the next one ends.
  @_noLocks
  private mutating func finish(_ list: UnsafeMutablePointer<RampList>) {
    let goals = plan.pointee.goals
    var soonest = Int32.max
    for place in 0..<list.pointee.count {
      let elapsed = list.pointee.isShared ? list.pointee.sharedElapsed : list.pointee.elapsed[place]
      let left = list.pointee.lengths[place] &- elapsed
      if left <= 0 {
        let stage = Int(list.pointee.stages[place])
        memory.pointee.values[stage] = goals.targets[stage]
        memory.pointee.curves[stage] = -1
      } else {
        soonest = min(soonest, left)
      }
    }
    list.pointee.remaining = soonest
    dropStopped()
  }
}
