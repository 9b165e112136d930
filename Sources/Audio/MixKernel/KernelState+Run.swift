internal import CRealtime
internal import MixLoops
internal import MixLoopsV3
internal import MixLoopsV4
internal import Rings
internal import Synchronization

extension KernelState {
  /// Mixes one period from the sources' buffers into the sinks' buffers. Channels of rings, decks and taps are read and written without a
  /// copy.
  ///
  /// The period is cut into blocks of at most 64 frames, so that every length of a period needs the same memory. Within a block each gain
  /// is constant, goes the common way (`chooseWays`), or is a parabola.
  /// - Parameters:
  ///   - waits: whether players and recorders wait for the disk. Only where no device plays the sound: while the server freewheels, and
  ///     offline.
  ///   - lost: frames that the server left out before this period.
  @_noLocks
  public mutating func run(frames count: Int, waits: Bool, lost: Int = 0) {
    startEarlyLevel()
    // Reading the clock costs as much as mixing a channel, so getting the buffers is counted as part of reading the sources.
    var (done, time) = (0, tally.ready)
    while done < count {
      // Rings, decks and taps have no more in one piece; only a server with unusual settings has longer periods.
      let piece = min(count &- done, SampleRing.longestPiece)
      time = mixPiece(frames: piece, waits: waits, begin: time)
      done &+= piece
      if done < count { moveBuffers(by: piece) }
    }
    exchange.pointee.framesProcessed.store(frames, ordering: .releasing)
    endPeriod(frames: count, time: time, waits: waits, lost: lost)
  }

  /// Mixes a piece of a period and returns the time at its end.
  @_noLocks
  private mutating func mixPiece(frames count: Int, waits: Bool, begin: UInt64) -> UInt64 {
    let hasRings = plan.pointee.structure.pointee.ringCount > 0
    let media = plan.pointee.structure.pointee.media
    if hasRings { aimRings(frames: count) }
    var (offset, time) = (0, begin)
    if let media {
      let prepared = mr_ticks()
      tally.sources &+= Tally.time(from: begin, to: prepared)
      beginMedia(media, frames: count, waits: waits)
      time = countPlayers(from: prepared)
      if media.pointee.voiceCount > 0 {
        beginVoices(media, frames: count, waits: waits)
        time = countVoice(from: time)
      }
      if media.pointee.effectCount > 0 {
        beginEffects(media, frames: count, waits: waits)
        time = countVoice(from: time)
      }
    }
    while offset < count {
      if rampsChanged { markMoving() }
      let longest = rampCount > 0 ? movingBlock() : MixLoops.blockFrames
      let block = min(count &- offset, longest)
      time = mix(offset: offset, frames: block, begin: time)
      offset &+= block
    }
    if let media {
      endMedia(media)
      time = countPlayers(from: time)
      if media.pointee.voiceCount > 0 {
        endVoices(media)
        time = countVoice(from: time)
      }
      if media.pointee.effectCount > 0 {
        endEffects(media)
        time = countVoice(from: time)
      }
    }
    if hasRings { commitRings() }
    frames &+= UInt64(truncatingIfNeeded: count)
    return time
  }

  /// Counts the time since `begin` as that of players and recorders. Returns the present time.
  @_noLocks
  private mutating func countPlayers(from begin: UInt64) -> UInt64 {
    let end = mr_ticks()
    tally.players &+= Tally.time(from: begin, to: end)
    return end
  }

  /// Counts the time since `begin` as that of voice processing and effects. Returns the present time.
  @_noLocks
  private mutating func countVoice(from begin: UInt64) -> UInt64 {
    let end = mr_ticks()
    tally.voice &+= Tally.time(from: begin, to: end)
    return end
  }

  /// Moves the buffers of all ports on to the next piece of a long period.
  @inline(never) @_noLocks
  private func moveBuffers(by frames: Int) {
    let structure = plan.pointee.structure
    let (sources, sinks) = (structure.pointee.sourceBuffers, structure.pointee.sinkBuffers)
    for source in 0..<structure.pointee.sourceCount {
      if let buffer = sources[source] { sources[source] = buffer + frames }
    }
    for sink in 0..<structure.pointee.sinkCount {
      if let buffer = sinks[sink] { sinks[sink] = buffer + frames }
    }
  }

  /// Mixes one block and returns the time at its end.
  @_noLocks
  private mutating func mix(offset: Int, frames: Int, begin: UInt64) -> UInt64 {
    var staged = begin
    let moves = rampCount > 0
    if moves {
      moveGains(frames: frames)
      staged = mr_ticks()
    }
    gather(offset: offset, frames: frames)
    let gathered = mr_ticks()
    var measured = gathered
    if let media = plan.pointee.structure.pointee.media {
      measureDecks(media, frames: frames)
      measured = countPlayers(from: gathered)
    }
    mixGroups(offset: offset, frames: frames, moves: moves)
    if moves, sharedStageMoves { settleCeilings() }
    let end = mr_ticks()
    tally.stages &+= Tally.time(from: begin, to: staged)
    tally.sources &+= Tally.time(from: staged, to: gathered)
    tally.sinks &+= Tally.time(from: measured, to: end)
    return end
  }

  /// Copies a block of all sources side by side, and measures it.
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

  /// Mixes a block of all sinks, four at a time, then delays, limits and copies those that need it.
  ///
  /// Usually no sink needs it, and few branches find that out: this code is not in the processor's cache when a period begins, so it must
  /// be short.
  @_noLocks
  private func mixGroups(offset: Int, frames: Int, moves: Bool) {
    // Local copies, because the compiler cannot know that writing samples does not change these pointers.
    let structure = plan.pointee.structure
    let (groups, peaks) = (structure.pointee.groups, structure.pointee.sinkPeaks)
    let media = structure.pointee.media
    let ceilings = UnsafeMutableRawPointer(structure.pointee.leastCeilings)
    // Sinks are mixed directly into their buffers if the block consists of whole tiles and the sink has no delay.
    let isWhole = frames % (widest && moves ? 32 : 16) == 0
    for index in 0..<structure.pointee.groupCount {
      let first = index &* MixLoops.groupSinks
      let isDelivered = aim(first, offset: offset, isWhole: isWhole)
      mix(groups + index, frames: frames, moves: moves)
      if !isDelivered { deliverGroup(first, offset: offset, frames: frames, isWhole: isWhole) }
      var heard = UnsafeMutableRawPointer(scratch.peaks).loadUnaligned(as: SIMD4<Int32>.self)
      let most = (ceilings + first &* 4).loadUnaligned(as: SIMD4<Int32>.self)
      // The room up to the ceilings; it is negative for a sink that is too loud.
      let left = most &- heard
      if left[0] | left[1] | left[2] | left[3] < 0 {
        for lane in 0..<MixLoops.groupSinks where left[lane] < 0 {
          limit(first &+ lane, lane: lane, frames: frames)
        }
        let greatest = greatestCeilings(first)
        heard = heard.replacing(with: greatest, where: heard .> greatest)
      }
      let place = UnsafeMutableRawPointer(peaks + first)
      let before = place.loadUnaligned(as: SIMD4<Int32>.self)
      place.storeBytes(of: before.replacing(with: heard, where: heard .> before), as: SIMD4<Int32>.self)
      if let media { record(index, of: media, offset: offset, frames: frames) }
    }
  }

  /// Chooses the memory that each sink of a group is mixed into: its own buffer if it needs no further step, otherwise a row of the
  /// scratch memory. Returns whether no sink needs a further step.
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

  /// Delays and copies the sinks of a group that were not mixed into their buffers.
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
      if group.pointee.isBending {
        mixBending(group, frames: frames)
      } else {
        mixMoving(group, frames: frames)
      }
      if !glide.isOn { group.pointee.exchangeGains() }
    } else {
      if let crosspoints = group.pointee.crosspoints {
        mixSparse(crosspoints, gains: group.pointee.gains, frames: frames)
      } else {
        mixStill(group, frames: frames)
      }
    }
  }

  @_noLocks
  private func mixSparse(_ crosspoints: UnsafePointer<Int32>, gains: UnsafePointer<Float>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    if widest, frames == MixLoops.blockFrames {
      MixLoopsV4.mixSparse(
        crosspoints, packed: packed, gains: gains, frames: frames, into: scratch.outputs, peaks: scratch.peaks
      )
    } else if newer {
      MixLoopsV3.mixSparse(
        crosspoints, packed: packed, gains: gains, frames: frames, into: scratch.outputs, peaks: scratch.peaks
      )
    } else {
      MixLoops.mixSparse(
        crosspoints, packed: packed, gains: gains, frames: frames, into: scratch.outputs, peaks: scratch.peaks
      )
    }
  }

  @_noLocks
  private func mixStill(_ group: UnsafeMutablePointer<SinkGroup>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    // The loops for AVX-512 need whole blocks.
    if widest, frames == MixLoops.blockFrames {
      MixLoopsV4.mixStill(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, gains: group.pointee.gains,
        frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    } else if newer {
      MixLoopsV3.mixStill(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, gains: group.pointee.gains,
        frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    } else {
      MixLoops.mixStill(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, gains: group.pointee.gains,
        frames: frames, into: scratch.outputs, peaks: scratch.peaks)
    }
  }

  @_noLocks
  private func mixMoving(_ group: UnsafeMutablePointer<SinkGroup>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    if widest {
      MixLoopsV4.mixMoving(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, ways: scratch.ways, frames: frames,
        into: scratch.outputs, peaks: scratch.peaks)
    } else if newer {
      MixLoopsV3.mixMoving(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, ways: scratch.ways, frames: frames,
        into: scratch.outputs, peaks: scratch.peaks)
    } else {
      MixLoops.mixMoving(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, ways: scratch.ways, frames: frames,
        into: scratch.outputs, peaks: scratch.peaks)
    }
  }

  @_noLocks
  private func mixBending(_ group: UnsafeMutablePointer<SinkGroup>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    if widest {
      MixLoopsV4.mixBending(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, bends: group.pointee.bends, ways: scratch.ways, frames: frames,
        into: scratch.outputs, peaks: scratch.peaks)
    } else if newer {
      MixLoopsV3.mixBending(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, bends: group.pointee.bends, ways: scratch.ways, frames: frames,
        into: scratch.outputs, peaks: scratch.peaks)
    } else {
      MixLoops.mixBending(
        group.pointee.starts, rows: group.pointee.rowCount, packed: packed, from: group.pointee.gains,
        to: group.pointee.nextGains, bends: group.pointee.bends, ways: scratch.ways, frames: frames,
        into: scratch.outputs, peaks: scratch.peaks)
    }
  }

  /// Delays a mixed row, applies the sink's gain, has it go through the sink's chain of effects, and copies it into the sink's buffer.
  @_noLocks
  private func deliver(_ sink: Int, lane: Int, offset: Int, frames: Int) {
    let row = scratch.rows + lane &* MixLoops.blockFrames
    if let line = plan.pointee.lines[sink] {
      line.pointee.process(
        row, frames: frames, wanted: plan.pointee.delays[sink], newer: newer, other: scratch.spare)
      let structure = plan.pointee.structure
      let (last, next) = (structure.pointee.lastGains[sink], structure.pointee.sinkGains[sink])
      structure.pointee.lastGains[sink] = next
      scale(row, frames: frames, from: last, middle: structure.pointee.middleGains[sink], to: next)
      insert(sink, row, offset: offset, frames: frames)
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

  /// Applies a gain that moves from the end of the last block to that of this one, by way of the gain in its middle.
  @_noLocks
  func scale(
    _ row: UnsafeMutablePointer<Float>, frames: Int, from last: Float, middle half: Float, to next: Float
  ) {
    let beyond = half - (last + (next - last) * middle.way)
    let bend = sharedStageMoves ? beyond * middle.scale : 0
    if newer {
      MixLoopsV3.scale(row, frames: frames, from: last, to: next, bend: bend, ways: scratch.ways)
    } else {
      MixLoops.scale(row, frames: frames, from: last, to: next, bend: bend, ways: scratch.ways)
    }
  }

  /// Bit patterns of the highest ceilings of a group's sinks in a block.
  @_noLocks
  private func greatestCeilings(_ first: Int) -> SIMD4<Int32> {
    let structure = plan.pointee.structure
    let last = UnsafeMutableRawPointer(structure.pointee.lastCeilings + first).loadUnaligned(
      as: SIMD4<Int32>.self)
    let next = UnsafeMutableRawPointer(structure.pointee.ceilings + first).loadUnaligned(
      as: SIMD4<Int32>.self)
    return last.replacing(with: next, where: next .> last)
  }

  /// Limits a sink's block to its ceiling, which goes the common way while its ramp runs.
  @_noLocks
  private func limit(_ sink: Int, lane: Int, frames: Int) {
    let (samples, structure) = (scratch.outputs[lane], plan.pointee.structure)
    let (last, next) = (structure.pointee.lastCeilings[sink], structure.pointee.ceilings[sink])
    structure.pointee.limitedSamples[sink] &+=
      newer
      ? MixLoopsV3.limit(samples, frames: frames, from: last, to: next, ways: scratch.ways)
      : MixLoops.limit(samples, frames: frames, from: last, to: next, ways: scratch.ways)
  }
}
