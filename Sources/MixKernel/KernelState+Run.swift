internal import CRealtime
internal import MixLoops
internal import MixLoopsV3
internal import MixLoopsV4
internal import Synchronization

extension KernelState {
  /// Mixes one period from the sources' buffers into the sinks' buffers.
  ///
  /// It works in blocks of at most 64 frames, so that any length costs the same memory. Within a block gains stand still or
  /// move in a straight line.
  @_noLocks
  public mutating func run(frames count: Int) {
    var offset = 0
    // Reading the clock costs as much as mixing a channel; taking the buffers counts as reading the sources.
    var time = tally.ready
    while offset < count {
      if rampsChanged { markMoving() }
      let longest = rampCount > 0 ? movingBlock() : MixLoops.blockFrames
      let block = min(count &- offset, longest)
      time = mix(offset: offset, frames: block, begin: time)
      offset &+= block
    }
    frames &+= UInt64(truncatingIfNeeded: count)
    exchange.pointee.framesProcessed.store(frames, ordering: .releasing)
    endPeriod(frames: count, time: time)
  }

  /// Mixes one block and returns the time when it was done.
  @_noLocks
  private mutating func mix(offset: Int, frames: Int, begin: UInt64) -> UInt64 {
    var staged = begin
    let moves = rampCount > 0
    if moves {
      advance(frames: frames)
      if sharedStageMoves { multiplyShared() }
      multiplyMoving()
      staged = mr_monotonic_nanoseconds()
    }
    gather(offset: offset, frames: frames)
    let gathered = mr_monotonic_nanoseconds()
    mixGroups(offset: offset, frames: frames, moves: moves)
    let end = mr_monotonic_nanoseconds()
    tally.stages &+= staged &- begin
    tally.sources &+= gathered &- staged
    tally.sinks &+= end &- gathered
    return end
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

  /// Mixes a block of all sinks, four at a time, and does the rest of their way to their buffers.
  @_noLocks
  private func mixGroups(offset: Int, frames: Int, moves: Bool) {
    // The compiler cannot know that samples do not overwrite these.
    let structure = plan.pointee.structure
    let (groups, sinkCount) = (structure.pointee.groups, structure.pointee.sinkCount)
    let (buffers, lines) = (structure.pointee.sinkBuffers, plan.pointee.lines)
    let (ceilings, peaks) = (plan.pointee.ceilings, structure.pointee.sinkPeaks)
    let (outputs, blockPeaks, rows) = (scratch.outputs, scratch.peaks, scratch.rows)
    // Mixed right into the buffers are whole tiles that nothing comes in between.
    let isWhole = frames % (widest ? 32 : 16) == 0
    var first = 0
    for index in 0..<structure.pointee.groupCount {
      let count = min(MixLoops.groupSinks, sinkCount &- first)
      for lane in 0..<MixLoops.groupSinks {
        outputs[lane] = rows + lane &* MixLoops.blockFrames
        if isWhole, lane < count, lines[first &+ lane] == nil, let buffer = buffers[first &+ lane] {
          outputs[lane] = buffer + offset
        }
      }
      mix(groups + index, frames: frames, moves: moves)
      for lane in 0..<count {
        let sink = first &+ lane
        if !isWhole || lines[sink] != nil { deliver(sink, lane: lane, offset: offset, frames: frames) }
        var peak = blockPeaks[lane]
        let most = Int32(bitPattern: ceilings[sink].bitPattern)
        if peak > most {
          limit(sink, lane: lane, frames: frames)
          peak = most
        }
        if peak > peaks[sink] { peaks[sink] = peak }
      }
      first &+= MixLoops.groupSinks
    }
  }

  @_noLocks
  private func mix(_ group: UnsafeMutablePointer<SinkGroup>, frames: Int, moves: Bool) {
    if moves, group.pointee.isMoving {
      mixMoving(group, frames: frames)
      let last = group.pointee.gains
      group.pointee.gains = group.pointee.nextGains
      group.pointee.nextGains = last
    } else {
      mixStill(group, frames: frames)
    }
  }

  @_noLocks
  private func mixStill(_ group: UnsafeMutablePointer<SinkGroup>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    // The widest takes whole blocks at a time.
    if widest, frames == MixLoops.blockFrames {
      MixLoopsV4.mixStill(
        group.pointee.runs, count: group.pointee.runCount, packed: packed, gains: group.pointee.gains,
        frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    } else if newer {
      MixLoopsV3.mixStill(
        group.pointee.runs, count: group.pointee.runCount, packed: packed, gains: group.pointee.gains,
        frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    } else {
      MixLoops.mixStill(
        group.pointee.runs, count: group.pointee.runCount, packed: packed, gains: group.pointee.gains,
        frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    }
  }

  @_noLocks
  private func mixMoving(_ group: UnsafeMutablePointer<SinkGroup>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    if widest {
      MixLoopsV4.mixMoving(
        group.pointee.runs, count: group.pointee.runCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    } else if newer {
      MixLoopsV3.mixMoving(
        group.pointee.runs, count: group.pointee.runCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    } else {
      MixLoops.mixMoving(
        group.pointee.runs, count: group.pointee.runCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    }
  }

  /// Delays a mixed row, sets its level and copies it to its sink's buffer.
  @_noLocks
  private func deliver(_ sink: Int, lane: Int, offset: Int, frames: Int) {
    let row = scratch.rows + lane &* MixLoops.blockFrames
    if let line = plan.pointee.lines[sink] {
      line.pointee.process(
        row, frames: frames, wanted: plan.pointee.delays[sink], newer: newer, other: scratch.spare)
      let structure = plan.pointee.structure
      let (last, next) = (structure.pointee.lastGains[sink], structure.pointee.sinkGains[sink])
      structure.pointee.lastGains[sink] = next
      if newer {
        MixLoopsV3.scale(row, frames: frames, from: last, to: next)
      } else {
        MixLoops.scale(row, frames: frames, from: last, to: next)
      }
    }
    if let buffer = plan.pointee.structure.pointee.sinkBuffers[sink] {
      scratch.outputs[lane] = buffer + offset
    }
    let output = scratch.outputs[lane]
    scratch.peaks[lane] =
      newer
      ? MixLoopsV3.copyAndMeasure(row, to: output, frames: frames)
      : MixLoops.copyAndMeasure(row, to: output, frames: frames)
  }

  /// Holds a sink's block at its ceiling.
  @_noLocks
  private func limit(_ sink: Int, lane: Int, frames: Int) {
    let (samples, ceiling) = (scratch.outputs[lane], plan.pointee.ceilings[sink])
    plan.pointee.structure.pointee.limitedSamples[sink] &+=
      newer
      ? MixLoopsV3.limit(samples, frames: frames, ceiling: ceiling)
      : MixLoops.limit(samples, frames: frames, ceiling: ceiling)
  }
}
