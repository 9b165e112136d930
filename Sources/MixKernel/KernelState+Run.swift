internal import CRealtime
internal import MixLoops
internal import MixLoopsV3
internal import Synchronization

extension KernelState {
  /// Mixes one period from the sources' buffers into the sinks' buffers.
  ///
  /// It works in blocks of at most 64 frames, so that any length costs the same memory. Within a block gains stand still or
  /// move in a straight line.
  @_noLocks
  public mutating func run(frames count: Int) {
    var offset = 0
    while offset < count {
      if rampsChanged { markMoving() }
      let longest = rampCount > 0 ? movingBlock() : MixLoops.blockFrames
      let block = min(count &- offset, longest)
      mix(offset: offset, frames: block)
      offset &+= block
    }
    frames &+= UInt64(truncatingIfNeeded: count)
    exchange.pointee.framesProcessed.store(frames, ordering: .releasing)
    endPeriod(frames: count)
  }

  /// Mixes one block.
  @_noLocks
  private mutating func mix(offset: Int, frames: Int) {
    let begin = mr_monotonic_nanoseconds()
    let moves = rampCount > 0
    if moves {
      advance(frames: frames)
      if sharedStageMoves { multiplyShared() }
    }
    let staged = mr_monotonic_nanoseconds()
    gather(offset: offset, frames: frames)
    let structure = plan.pointee.structure
    for index in 0..<structure.pointee.groupCount {
      let group = structure.pointee.groups + index
      let mixed = structure.pointee.mixed + index &* MixLoops.groupSinks &* MixLoops.blockFrames
      if moves, group.pointee.isMoving {
        multiply(index, into: group.pointee.nextGains)
        mixMoving(group, frames: frames, into: mixed)
        let last = group.pointee.gains
        group.pointee.gains = group.pointee.nextGains
        group.pointee.nextGains = last
      } else {
        mixStill(group, frames: frames, into: mixed)
      }
    }
    let mixed = mr_monotonic_nanoseconds()
    finish(offset: offset, frames: frames)
    tally.stages &+= staged &- begin
    tally.matrix &+= mixed &- staged
    tally.outputs &+= mr_monotonic_nanoseconds() &- mixed
  }

  /// Packs and measures the sources.
  @_noLocks
  private func gather(offset: Int, frames: Int) {
    let structure = plan.pointee.structure
    if newer {
      MixLoopsV3.gather(
        structure.pointee.sourceBuffers, count: structure.pointee.sourceCount, offset: offset, frames: frames,
        into: structure.pointee.packed, peaks: structure.pointee.sourcePeaks,
        broken: structure.pointee.brokenBlocks)
    } else {
      MixLoops.gather(
        structure.pointee.sourceBuffers, count: structure.pointee.sourceCount, offset: offset, frames: frames,
        into: structure.pointee.packed, peaks: structure.pointee.sourcePeaks,
        broken: structure.pointee.brokenBlocks)
    }
  }

  @_noLocks
  private func mixStill(
    _ group: UnsafeMutablePointer<SinkGroup>, frames: Int, into mixed: UnsafeMutablePointer<Float>
  ) {
    let packed = plan.pointee.structure.pointee.packed
    if newer {
      MixLoopsV3.mixStill(
        rows: group.pointee.rowCount, sources: group.pointee.sources, packed: packed,
        gains: group.pointee.gains, frames: frames, into: mixed)
    } else {
      MixLoops.mixStill(
        rows: group.pointee.rowCount, sources: group.pointee.sources, packed: packed,
        gains: group.pointee.gains, frames: frames, into: mixed)
    }
  }

  @_noLocks
  private func mixMoving(
    _ group: UnsafeMutablePointer<SinkGroup>, frames: Int, into mixed: UnsafeMutablePointer<Float>
  ) {
    let packed = plan.pointee.structure.pointee.packed
    if newer {
      MixLoopsV3.mixMoving(
        rows: group.pointee.rowCount, sources: group.pointee.sources, packed: packed,
        from: group.pointee.gains, to: group.pointee.nextGains, frames: frames, into: mixed)
    } else {
      MixLoops.mixMoving(
        rows: group.pointee.rowCount, sources: group.pointee.sources, packed: packed,
        from: group.pointee.gains, to: group.pointee.nextGains, frames: frames, into: mixed)
    }
  }

  /// Delays, limits and measures the sinks and fills their buffers.
  @_noLocks
  private func finish(offset: Int, frames: Int) {
    let structure = plan.pointee.structure
    let (lines, delays) = (plan.pointee.lines, plan.pointee.delays)
    for sink in 0..<structure.pointee.sinkCount {
      guard let line = lines[sink] else { continue }
      line.pointee.process(
        structure.pointee.mixed + sink &* MixLoops.blockFrames, frames: frames, wanted: delays[sink],
        newer: newer, other: spare)
    }
    if newer {
      MixLoopsV3.finish(
        structure.pointee.mixed, count: structure.pointee.sinkCount, buffers: structure.pointee.sinkBuffers,
        offset: offset, frames: frames, ceilings: plan.pointee.ceilings, peaks: structure.pointee.sinkPeaks,
        limited: structure.pointee.limitedSamples)
    } else {
      MixLoops.finish(
        structure.pointee.mixed, count: structure.pointee.sinkCount, buffers: structure.pointee.sinkBuffers,
        offset: offset, frames: frames, ceilings: plan.pointee.ceilings, peaks: structure.pointee.sinkPeaks,
        limited: structure.pointee.limitedSamples)
    }
  }
}
