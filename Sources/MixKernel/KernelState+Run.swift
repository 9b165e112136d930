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
    followEarly()
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
      staged = mr_ticks()
    }
    gather(offset: offset, frames: frames)
    let gathered = mr_ticks()
    mixGroups(offset: offset, frames: frames, moves: moves)
    let end = mr_ticks()
    tally.stages &+= Tally.time(from: begin, to: staged)
    tally.sources &+= Tally.time(from: staged, to: gathered)
    tally.sinks &+= Tally.time(from: gathered, to: end)
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
  ///
  /// Mostly there is no rest, and few branches find that out: this code is cold in every period.
  @_noLocks
  private func mixGroups(offset: Int, frames: Int, moves: Bool) {
    // The compiler cannot know that samples do not overwrite these.
    let structure = plan.pointee.structure
    let (groups, peaks) = (structure.pointee.groups, structure.pointee.sinkPeaks)
    let ceilings = UnsafeMutableRawPointer(plan.pointee.ceilings)
    // Mixed right into the buffers are whole tiles that nothing comes in between.
    let isWhole = frames % (widest ? 32 : 16) == 0
    for index in 0..<structure.pointee.groupCount {
      let first = index &* MixLoops.groupSinks
      let isDelivered = aim(first, offset: offset, isWhole: isWhole)
      mix(groups + index, frames: frames, moves: moves)
      if !isDelivered { deliverGroup(first, offset: offset, frames: frames, isWhole: isWhole) }
      var heard = UnsafeMutableRawPointer(scratch.peaks).loadUnaligned(as: SIMD4<Int32>.self)
      let most = (ceilings + first &* 4).loadUnaligned(as: SIMD4<Int32>.self)
      // The sign of what is left up to the ceilings.
      let left = most &- heard
      if left[0] | left[1] | left[2] | left[3] < 0 {
        for lane in 0..<MixLoops.groupSinks where left[lane] < 0 {
          limit(first &+ lane, lane: lane, frames: frames)
        }
        heard = heard.replacing(with: most, where: heard .> most)
      }
      let place = UnsafeMutableRawPointer(peaks + first)
      let before = place.loadUnaligned(as: SIMD4<Int32>.self)
      place.storeBytes(of: before.replacing(with: heard, where: heard .> before), as: SIMD4<Int32>.self)
    }
  }

  /// Sets where a group's sinks are mixed to: right into their buffers if nothing comes in between. Returns whether that is
  /// so for all; a sink that nobody hears counts, too.
  @_noLocks
  private func aim(_ first: Int, offset: Int, isWhole: Bool) -> Bool {
    let (buffers, lines) = (plan.pointee.structure.pointee.sinkBuffers + first, plan.pointee.lines + first)
    var row = scratch.rows
    var delayed: UInt = 0
    for lane in 0..<MixLoops.groupSinks {
      let (buffer, line) = (buffers[lane], lines[lane])
      delayed |= UInt(bitPattern: line)
      let target = isWhole && line == nil ? buffer : nil
      scratch.outputs[lane] = (target ?? row) + (target == nil ? 0 : offset)
      row += MixLoops.blockFrames
    }
    return isWhole && delayed == 0
  }

  /// Brings those sinks of a group to their buffers that were not mixed there.
  @_noLocks
  private func deliverGroup(_ first: Int, offset: Int, frames: Int, isWhole: Bool) {
    let count = min(MixLoops.groupSinks, plan.pointee.structure.pointee.sinkCount &- first)
    for lane in 0..<count where !isWhole || plan.pointee.lines[first &+ lane] != nil {
      deliver(first &+ lane, lane: lane, offset: offset, frames: frames)
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
