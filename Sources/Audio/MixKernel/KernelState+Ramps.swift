internal import MixLoops
internal import MixLoopsV3

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

  /// Starts ramps of whole chunks of stages that are at rest.
  @_noLocks
  mutating func start(_ run: StageRun) {
    let list = memory.pointee.ramps + Int(run.curve.rawValue)
    let place = list.pointee.count
    let (stages, starts, spans) = (list.pointee.stages, list.pointee.starts, list.pointee.spans)
    let (values, targets, curves) = (memory.pointee.values, plan.pointee.goals.targets, memory.pointee.curves)
    switch run.curve {
    case .raisedCosine, .linear: break
    case .decibels, .fader, .sCurve, .equalPower:
      for stage in run.first..<run.first &+ run.count {
        var one = Int32(truncatingIfNeeded: stage)
        start(&one, count: 1)
      }
      return
    }
    let begun =
      newer
      ? MixLoopsV3.beginRamps(
        run.first, count: run.count, values: values, targets: targets, stages: stages + place,
        starts: starts + place, spans: spans + place, curves: curves, curve: run.curve.rawValue)
      : MixLoops.beginRamps(
        run.first, count: run.count, values: values, targets: targets, stages: stages + place,
        starts: starts + place, spans: spans + place, curves: curves, curve: run.curve.rawValue)
    guard begun > 0 else { return }
    let inverse = 1 / Float(run.length)
    let block = Self.block(Float(run.length), run.curve, span: 0)
    join(list, first: Int(stages[place]), run.length, inverse: inverse, block: block)
    if begun < run.count { list.pointee.isDense = false }
    if !list.pointee.isShared {
      for place in place..<place &+ begun {
        list.pointee.elapsed[place] = 0
        list.pointee.lengths[place] = run.length
        list.pointee.blocks[place] = block
        list.pointee.inverses[place] = inverse
      }
    }
    list.pointee.count = place &+ begun
    rampCount &+= begun
    rampsChanged = true
  }

  /// Starts one ramp.
  /// - Parameter inverse: 1 / length of the ramp in frames.
  @_noLocks
  private func start(_ stage: Int, _ target: Float, _ curve: Curve, _ frames: Int32, inverse: Float) {
    let list = memory.pointee.ramps + Int(curve.rawValue)
    let place = list.pointee.count
    let begin = RampQuantity.of(memory.pointee.values[stage], curve)
    let span = RampQuantity.of(target, curve) - begin
    let block = Self.block(Float(frames), curve, span: span)
    join(list, first: stage, frames, inverse: inverse, block: block)
    list.pointee.stages[place] = Int32(truncatingIfNeeded: stage)
    if !list.pointee.isShared {
      list.pointee.elapsed[place] = 0
      list.pointee.lengths[place] = frames
      list.pointee.blocks[place] = block
      list.pointee.inverses[place] = inverse
    }
    list.pointee.starts[place] = begin
    list.pointee.spans[place] = span
    list.pointee.count = place &+ 1
    memory.pointee.curves[stage] = curve.rawValue
  }

  /// Makes what the ramps of a list have in common true for new ramps too, before they are counted.
  /// - Parameter first: the stage of the first new ramp.
  @_noLocks
  private func join(
    _ list: UnsafeMutablePointer<RampList>, first stage: Int, _ frames: Int32, inverse: Float, block: Int32
  ) {
    let count = list.pointee.count
    if count == 0 {
      list.pointee.isShared = true
      list.pointee.sharedElapsed = 0
      list.pointee.sharedLength = frames
      list.pointee.sharedInverse = inverse
      list.pointee.isDense = true
      list.pointee.remaining = frames
      list.pointee.block = block
      return
    }
    if list.pointee.isShared, list.pointee.sharedElapsed != 0 || list.pointee.sharedLength != frames {
      separate(list)
    }
    if Int(list.pointee.stages[count &- 1]) != stage &- 1 { list.pointee.isDense = false }
    list.pointee.remaining = min(list.pointee.remaining, frames)
    list.pointee.block = min(list.pointee.block, block)
  }

  /// Makes each ramp of a list count its own frames, because a ramp with another beginning or length joins the list.
  @_noLocks
  private func separate(_ list: UnsafeMutablePointer<RampList>) {
    for place in 0..<list.pointee.count {
      list.pointee.elapsed[place] = list.pointee.sharedElapsed
      list.pointee.lengths[place] = list.pointee.sharedLength
      list.pointee.inverses[place] = list.pointee.sharedInverse
      list.pointee.blocks[place] = list.pointee.block
    }
    list.pointee.isShared = false
  }

  /// Marks a stage as at rest; `dropStopped` then removes its ramp, if it has one. Returns whether it has.
  @_noLocks
  func stop(_ stage: Int) -> Bool {
    let curve = Int(memory.pointee.curves[stage])
    guard curve >= 0 else { return false }
    memory.pointee.curves[stage] = -1
    memory.pointee.ramps[curve].stopped &+= 1
    return true
  }

  /// Marks all stages of a chunk as at rest. Returns whether one of them has a ramp.
  @_noLocks
  func stopChunk(_ first: Int) -> Bool {
    let place = UnsafeMutableRawPointer(memory.pointee.curves + first)
    let curves = place.loadUnaligned(as: SIMD16<Int32>.self)
    let curve = curves[0]
    guard Self.isZero(curves ^ SIMD16(repeating: curve)) else {
      for stage in first..<first &+ MixLoops.chunkStages { _ = stop(stage) }
      return true
    }
    guard curve >= 0 else { return false }
    place.storeBytes(of: SIMD16(repeating: -1), as: SIMD16<Int32>.self)
    memory.pointee.ramps[Int(curve)].stopped &+= MixLoops.chunkStages
    return true
  }

  /// Whether all words are 0. The standard library compares vectors word by word.
  @inline(always) @_noLocks
  static func isZero(_ words: SIMD16<Int32>) -> Bool {
    let eight = words.lowHalf | words.highHalf
    let four = eight.lowHalf | eight.highHalf
    let two = four.lowHalf | four.highHalf
    return two[0] | two[1] == 0
  }

  /// Removes the ramps of stages that are marked as at rest from the lists. The stages keep their present amplitudes.
  @_noLocks
  mutating func dropStopped() {
    for curve in 0..<StageMemory.curveCount {
      let list = memory.pointee.ramps + curve
      let stopped = list.pointee.stopped
      guard stopped > 0 else { continue }
      list.pointee.stopped = 0
      rampCount &-= stopped
      rampsChanged = true
      if stopped == list.pointee.count { list.pointee.count = 0 } else { keepRunning(list) }
    }
  }

  /// Closes the gaps that stopped ramps leave in a list.
  @_noLocks
  private func keepRunning(_ list: UnsafeMutablePointer<RampList>) {
    let curves = memory.pointee.curves
    let isShared = list.pointee.isShared
    var (kept, block) = (0, longestBlock)
    for place in 0..<list.pointee.count where curves[Int(list.pointee.stages[place])] >= 0 {
      if kept != place {
        list.pointee.stages[kept] = list.pointee.stages[place]
        list.pointee.starts[kept] = list.pointee.starts[place]
        list.pointee.spans[kept] = list.pointee.spans[place]
        if !isShared {
          list.pointee.elapsed[kept] = list.pointee.elapsed[place]
          list.pointee.lengths[kept] = list.pointee.lengths[place]
          list.pointee.blocks[kept] = list.pointee.blocks[place]
          list.pointee.inverses[kept] = list.pointee.inverses[place]
        }
        list.pointee.isDense = false
      }
      if !isShared { block = min(block, list.pointee.blocks[kept]) }
      kept &+= 1
    }
    if !isShared { list.pointee.block = block }
    list.pointee.count = kept
  }

  /// Advances all ramps. A ramp that ends sets its stage exactly to its target.
  /// - Parameter isEnd: whether a block ends there; ramps end only with blocks.
  @_noLocks
  mutating func advance(frames: Int, isEnd: Bool) {
    let step = Int32(truncatingIfNeeded: frames)
    for curve in 0..<StageMemory.curveCount {
      let list = memory.pointee.ramps + curve
      guard list.pointee.count > 0 else { continue }
      compute(list, Curve(rawValue: Int32(truncatingIfNeeded: curve)) ?? .linear, step)
      writeAmplitudes(list)
      list.pointee.remaining &-= step
      if isEnd, list.pointee.remaining <= 0 { finish(list) }
    }
  }

  /// Gives the stages of a list the amplitudes that were computed.
  @_noLocks
  func writeAmplitudes(_ list: UnsafeMutablePointer<RampList>) {
    let (stages, values, count) = (list.pointee.stages, list.pointee.values, list.pointee.count)
    let present = memory.pointee.values
    if list.pointee.isDense {
      UnsafeMutableRawPointer(present + Int(stages[0])).copyMemory(from: values, byteCount: count &* 4)
    } else {
      for place in 0..<count { present[Int(stages[place])] = values[place] }
    }
  }

  /// Ends the ramps of a list whose time has passed, and computes when the next one ends.
  @_noLocks
  mutating func finish(_ list: UnsafeMutablePointer<RampList>) {
    let goals = plan.pointee.goals
    if list.pointee.isShared { return finishAll(list) }
    var soonest = Int32.max
    for place in 0..<list.pointee.count {
      let left = list.pointee.lengths[place] &- list.pointee.elapsed[place]
      if left <= 0 {
        let stage = Int(list.pointee.stages[place])
        memory.pointee.values[stage] = goals.targets[stage]
        _ = stop(stage)
      } else {
        soonest = min(soonest, left)
      }
    }
    list.pointee.remaining = soonest
    dropStopped()
  }

  /// Ends the ramps of a list that began together and have the same length.
  @_noLocks
  private mutating func finishAll(_ list: UnsafeMutablePointer<RampList>) {
    let (goals, values, curves) = (plan.pointee.goals, memory.pointee.values, memory.pointee.curves)
    let (stages, count) = (list.pointee.stages, list.pointee.count)
    for place in 0..<count {
      let stage = Int(stages[place])
      values[stage] = goals.targets[stage]
      curves[stage] = -1
    }
    list.pointee.stopped = count
    dropStopped()
  }
}
