internal import MixLoops
internal import MixLoopsV3

extension KernelState {
  /// Computes all gains from the present stages, after the structure changed or a sink got a delay line.
  @_noLocks
  mutating func multiplyEverything() {
    multiplyShared()
    let structure = plan.pointee.structure
    for sink in 0..<structure.pointee.sinkCount {
      structure.pointee.lastGains[sink] = structure.pointee.sinkGains[sink]
    }
    for insert in 0..<structure.pointee.insertCount {
      structure.pointee.inserts[insert].lastGain = structure.pointee.inserts[insert].gain
    }
    settleCeilings()
    for group in 0..<structure.pointee.groupCount {
      multiply(group, into: structure.pointee.groups[group].gains)
    }
  }

  /// Computes the gains at the end of the block, for groups in which a ramp runs.
  @_noLocks
  func multiplyMoving() {
    let structure = plan.pointee.structure
    for group in 0..<structure.pointee.groupCount where structure.pointee.groups[group].isMoving {
      multiply(group, into: structure.pointee.groups[group].nextGains)
    }
  }

  /// Computes the gains in the middle of the block, for groups in which a ramp runs.
  @_noLocks
  func multiplyMiddle() {
    let structure = plan.pointee.structure
    for group in 0..<structure.pointee.groupCount where structure.pointee.groups[group].isMoving {
      multiply(group, into: structure.pointee.groups[group].bends)
    }
    guard sharedStageMoves else { return }
    for sink in 0..<structure.pointee.sinkCount {
      structure.pointee.middleGains[sink] = structure.pointee.sinkGains[sink]
    }
    for insert in 0..<structure.pointee.insertCount {
      structure.pointee.inserts[insert].middleGain = structure.pointee.inserts[insert].gain
    }
  }

  /// Finds the groups in which a gain leaves the common way by more than -106 dB.
  @_noLocks
  func findBends() {
    let unheard: Float = 5e-6
    let structure = plan.pointee.structure
    for index in 0..<structure.pointee.groupCount where structure.pointee.groups[index].isMoving {
      let group = structure.pointee.groups + index
      let most =
        newer
        ? MixLoopsV3.bend(
          group.pointee.bends, rows: group.pointee.rowCount, from: group.pointee.gains,
          to: group.pointee.nextGains, way: middle.way, scale: middle.scale)
        : MixLoops.bend(
          group.pointee.bends, rows: group.pointee.rowCount, from: group.pointee.gains,
          to: group.pointee.nextGains, way: middle.way, scale: middle.scale)
      // A bow is a fourth of its bend high.
      group.pointee.isBending = most > Int32(truncatingIfNeeded: (4 * unheard).bitPattern)
    }
  }

  /// Computes the gains of whole rows and whole sinks, and the ceilings of the sinks.
  @_noLocks
  func multiplyShared() {
    let structure = plan.pointee.structure
    product(
      count: structure.pointee.rowCount, starts: structure.pointee.rowStageStart,
      stages: structure.pointee.rowStages, gains: structure.pointee.rowGains)
    product(
      count: structure.pointee.sinkCount, starts: structure.pointee.sinkStageStart,
      stages: structure.pointee.sinkStages, gains: structure.pointee.sinkGains)
    for insert in 0..<structure.pointee.insertCount {
      let use = structure.pointee.inserts + insert
      var gain: Float = 1
      for place in 0..<use.pointee.stageCount {
        gain *= memory.pointee.values[Int(use.pointee.stages[place])]
      }
      use.pointee.gain = gain
    }
    let (lines, sinkGains) = (plan.pointee.lines, structure.pointee.sinkGains)
    for sink in 0..<structure.pointee.sinkCount {
      structure.pointee.matrixGains[sink] = lines[sink] == nil ? sinkGains[sink] : 1
      let stage = Int(structure.pointee.ceilingStages[sink])
      guard stage >= 0 else { continue }
      let (last, next) = (structure.pointee.lastCeilings[sink], memory.pointee.values[stage])
      structure.pointee.ceilings[sink] = next
      structure.pointee.leastCeilings[sink] = last < next ? last : next
    }
  }

  /// Notes the ceilings as those of the block that has ended.
  @_noLocks
  func settleCeilings() {
    let structure = plan.pointee.structure
    for sink in 0..<structure.pointee.sinkCount {
      let ceiling = structure.pointee.ceilings[sink]
      structure.pointee.lastCeilings[sink] = ceiling
      structure.pointee.leastCeilings[sink] = ceiling
    }
  }

  /// Computes the gains of a group's crosspoints.
  @_noLocks
  func multiply(_ index: Int, into gains: UnsafeMutablePointer<Float>) {
    let structure = plan.pointee.structure
    let group = structure.pointee.groups + index
    let sinkGains = structure.pointee.matrixGains + index &* MixLoops.groupSinks
    if group.pointee.firstCell >= 0 {
      multiplyNeighbours(group, sinkGains: sinkGains, into: gains)
    } else if newer {
      MixLoopsV3.multiplyStages(
        rows: group.pointee.rowCount, cells: group.pointee.cells, ducks: group.pointee.ducks,
        scales: group.pointee.scales, rowIndices: group.pointee.rows, values: memory.pointee.values,
        rowGains: structure.pointee.rowGains, sinkGains: sinkGains, into: gains)
    } else {
      MixLoops.multiplyStages(
        rows: group.pointee.rowCount, cells: group.pointee.cells, ducks: group.pointee.ducks,
        scales: group.pointee.scales, rowIndices: group.pointee.rows, values: memory.pointee.values,
        rowGains: structure.pointee.rowGains, sinkGains: sinkGains, into: gains)
    }
  }

  @_noLocks
  private func multiplyNeighbours(
    _ group: UnsafeMutablePointer<SinkGroup>, sinkGains: UnsafePointer<Float>,
    into gains: UnsafeMutablePointer<Float>
  ) {
    let values = memory.pointee.values + Int(group.pointee.firstCell)
    let rowGains = plan.pointee.structure.pointee.rowGains
    if newer {
      MixLoopsV3.multiplyNeighbours(
        rows: group.pointee.rowCount, values: values, scales: group.pointee.scales,
        rowIndices: group.pointee.rows, rowGains: rowGains, sinkGains: sinkGains, into: gains)
    } else {
      MixLoops.multiplyNeighbours(
        rows: group.pointee.rowCount, values: values, scales: group.pointee.scales,
        rowIndices: group.pointee.rows, rowGains: rowGains, sinkGains: sinkGains, into: gains)
    }
  }

  @_noLocks
  private func product(
    count: Int, starts: UnsafeMutablePointer<Int32>, stages: UnsafeMutablePointer<Int32>,
    gains: UnsafeMutablePointer<Float>
  ) {
    let values = memory.pointee.values
    for index in 0..<count {
      var gain: Float = 1
      for place in Int(starts[index])..<Int(starts[index &+ 1]) { gain *= values[Int(stages[place])] }
      gains[index] = gain
    }
  }
}
