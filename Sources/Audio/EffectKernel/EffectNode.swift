internal import CRealtime
package import EffectBlocks
internal import Synchronization

/// A chain of effects as the audio thread has it: its sound is the block that the effects program has processed of the period before, or the
/// input with the same latency (dry).
///
/// The audio thread alone calls it, and nothing here waits, except in freewheel. Each period calls `begin`, writes the inputs, and calls `end`;
/// then `ask`, once for all chains of a program.
///
/// A block that is missing is replaced in that same period: the sound goes on from its last sample, and comes to the dry sound, or to silence,
/// within the time of a change. When blocks come again, it crosses back. A dry sound that gets another latency does the same.
public struct EffectNode: ~Copyable {
  private let channels, sideChannels: Int
  private let change: Int
  private let exchange: EffectExchange
  private let blocks: EffectBlocks
  private let share: UnsafeMutablePointer<EffectShare>
  private let memory: EffectNodeMemory

  // MARK: The present period

  private var period = 0
  private var frames = 0
  /// The sound: in the memory of the node, or where the program has made it.
  private var sound: EffectSound

  // MARK: The last period

  /// The last period whose input was given as a block, and its frames; 0 for none.
  private var given = 0
  private var givenFrames = 0
  /// Which load of the chain ran when it was given. A load that came later has not got the block, so nothing may wait for it.
  private var givenRevision = 0

  /// Which load of the chain made the last block that was taken.
  private var takenRevision = 0

  // MARK: Since the start

  /// Frames of the input.
  private var heard = 0
  /// Frames between an input and its processed sound, without the plugins: the longest period so far.
  private var transport: Int
  /// Frames by which the plugins delay the sound.
  private var latency = 0
  /// Share of the processed sound, 0 to 1; the rest is dry.
  private var processed: Float = 0
  /// Share of the dry sound that is let through, 0 to 1: 0 in a chain that falls silent.
  private var passing: Float = 1
  /// Share of a sink's sound that goes through the chain at the period's begin, 0 to 1, and by how much it changes in a frame.
  private var (inserted, insertion): (Float, Float) = (0, 0)
  /// Blocks of silence that the side chain has got since it heard something; at most 2.
  private var sideBlocks = 2
  /// Frames until the sound has come to its sources (`EffectNodeMemory.offsets`).
  private var falling = 0

  /// Frames of each input that `fetchInputs` fetches at most.
  private static var fetched: Int { @_noLocks get { 256 } }
  /// Naps of a millisecond in freewheel before the audio goes on without the block: 5 s.
  private static var patience: Int { @_noLocks get { 5_000 } }
  /// Bit pattern of the greatest amplitude that is a sound and no fault, as for all sources of the mix: just below 240 dBFS.
  private static var loudest: Int32 { @_noLocks get { Int32(bitPattern: Float(0x1p40).bitPattern) &- 1 } }

  package init(
    channels: Int, sideChannels: Int, transport: Int, change: Int, exchange: EffectExchange,
    blocks: EffectBlocks, share: UnsafeMutablePointer<EffectShare>, memory: EffectNodeMemory
  ) {
    (self.channels, self.sideChannels, self.change) = (channels, sideChannels, change)
    (self.transport, self.exchange, self.blocks) = (transport, exchange, blocks)
    (self.share, self.memory) = (share, memory)
    sound = EffectSound(first: memory.samples, stride: 0, frames: 0)
  }

  // MARK: A period

  /// Begins a period: makes its sound.
  ///
  /// - Parameters:
  ///   - frames: length of the period, at most 8,192.
  ///   - waits: whether to wait for the block, at most 5 s: in freewheel and offline alone.
  @_noLocks
  public mutating func begin(frames: Int, waits: Bool) {
    let former = sound
    (period, self.frames) = (exchange.asked() &+ 1, frames)
    let formerRevision = takenRevision
    let made = takeBlock(waits: waits)
    let isThere = made != nil
    // A dry sound of a longer period needs samples that only a longer delay has.
    let transport = max(self.transport, frames)
    let latency = isThere ? blocks.latency(period: given) : self.latency
    let isDelayedAnew = transport &+ latency != self.transport &+ self.latency
    (self.transport, self.latency) = (transport, latency)
    let isBypassed = share.pointee.isBypassed.load(ordering: .relaxed)
    let passes: Float = share.pointee.fallsSilent.load(ordering: .relaxed) ? 0 : 1
    // Nothing of the dry sound is heard.
    if processed == 1 { passing = passes }
    // Another load of the chain may come without a missing block between the two.
    let isLoadedAnew = isThere && takenRevision != formerRevision && processed > 0
    if isThere ? isLoadedAnew || isDelayedAnew && processed < 1 : isDelayedAnew || processed > 0 {
      goDry(after: former)
    }
    let isWanted = isThere && !isBypassed
    sound = EffectSound(first: memory.samples, stride: stride(), frames: frames)
    if falling > 0 || processed != (isWanted ? 1 : 0) || !isWanted && passing != passes {
      cross(made, isWanted: isWanted, passes: passes)
    } else if isWanted, let made {
      sound = made
    } else {
      for channel in 0..<channels { copyDry(channel) }
    }
    fetchInputs()
    beginInsertion()
    share.pointee.isProcessed.store(processed == 1, ordering: .relaxed)
  }

  /// The period's sound, until the next period begins.
  @_noLocks
  public func sound(_ channel: Int) -> UnsafePointer<Float> { UnsafePointer(sound[channel]) }

  /// Where the samples of this period of an input go: the chain's channels, and then those of the side chain.
  @_noLocks
  public func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
    guard frames <= blocks.longest else { return memory.samples + (channels &+ channel) &* stride() }
    return channel < channels
      ? blocks.input(channel: channel) + Self.place(heard)
      : blocks.side(channel: channel &- channels, period: period)
  }

  /// Floats from a channel of the period to the next: whole cache lines.
  @_noLocks
  private func stride() -> Int { (frames &+ 15) & ~15 }

  /// Has the processor fetch the memory that the inputs of this period go to, without those of the side chain. Nothing has used this part of the
  /// circle for a second, so it has left the cache, and the mix would wait for each few lines. Only the begin of a long period is fetched: all of
  /// it would drive other memory out of the cache.
  @_noLocks
  private func fetchInputs() {
    for channel in 0..<channels {
      let input = input(channel)
      for line in 0..<(min(frames, Self.fetched) &+ 15) / 16 { mr_fetch_to_write(input + line &* 16) }
    }
  }

  /// Ends the period: the program may process the inputs after `ask`.
  ///
  /// - Parameter hearsSide: whether the inputs of the side chain have been written; otherwise it hears silence.
  @_noLocks
  public mutating func end(hearsSide: Bool) {
    inserted = max(0, min(1, inserted + insertion * Float(frames)))
    let begin = Self.place(heard)
    // All other periods have been written into the circle as a whole.
    if frames > blocks.longest || begin &+ frames > EffectLimits.circle {
      for channel in 0..<channels { remember(channel) }
    }
    heard &+= frames
    (given, givenFrames) = (0, 0)
    guard frames <= blocks.longest else { return }
    if !hearsSide { silenceSide() } else { sideBlocks = 0 }
    givenRevision = share.pointee.revision.load(ordering: .acquiring)
    blocks.give(period: period, begin: begin, frames: frames)
    (given, givenFrames) = (period, frames)
  }

  /// Has the program process the inputs of all its chains that have ended the period.
  @_noLocks
  public func ask() { exchange.ask(period: period, frames: frames) }

  /// Gives the side chain silence until both copies of the blocks hold it.
  @_noLocks
  private mutating func silenceSide() {
    guard sideBlocks < 2 else { return }
    for side in 0..<sideChannels { input(channels &+ side).update(repeating: 0, count: frames) }
    sideBlocks &+= 1
  }

  // MARK: Sinks

  @_noLocks
  private mutating func beginInsertion() {
    let isInserted = share.pointee.isInserted.load(ordering: .relaxed)
    share.pointee.isBeside.store(!isInserted && inserted == 0, ordering: .relaxed)
    insertion = inserted == (isInserted ? 1 : 0) ? 0 : (isInserted ? 1 : -1) / Float(10 &* change)
  }

  /// Gives a block of a sink to the chain, and puts the chain's sound in its place, as far as the sink's sound goes through the chain.
  ///
  /// - Parameter offset: the block's begin in the period.
  @_noLocks
  public func insert(
    _ block: UnsafeMutablePointer<Float>, channel: Int, offset: Int, frames: Int
  ) {
    let (input, sound) = (input(channel) + offset, sound(channel) + offset)
    UnsafeMutableRawPointer(input).copyMemory(from: block, byteCount: frames &* 4)
    guard insertion != 0 else {
      guard inserted == 1 else { return }
      for frame in 0..<frames { block[frame] = Self.soundOrSilence(sound[frame]) }
      return
    }
    for frame in 0..<frames {
      let share = max(0, min(1, inserted + insertion * Float(offset &+ frame)))
      block[frame] += share * (Self.soundOrSilence(sound[frame]) - block[frame])
    }
  }

  // MARK: The processed block

  /// The processed block of the period before; nil if it is not there, not whole, or not all of it is sound.
  @_noLocks
  private mutating func takeBlock(waits: Bool) -> EffectSound? {
    let revision = share.pointee.revision.load(ordering: .acquiring)
    // After a period of another length the block does not end where this period's sound does.
    guard revision > 0, givenRevision == revision, given &+ 1 == period, givenFrames == transport,
      frames <= transport
    else {
      return nil
    }
    if waits { wait(for: revision) }
    guard blocks.take(period: given, frames: givenFrames, revision: revision) else { return nil }
    let block = EffectSound(
      first: blocks.output(channel: 0, period: given), stride: blocks.longest, frames: frames)
    // The bits of magnitudes compare as the magnitudes do. A sample that is too loud makes its difference negative, and a negative difference makes
    // the union negative.
    var differences: Int32 = 0
    for channel in 0..<channels {
      let samples = block[channel]
      for frame in 0..<frames {
        differences |= Self.loudest &- Int32(bitPattern: samples[frame].magnitude.bitPattern)
      }
    }
    guard differences >= 0 else { return nil }
    takenRevision = revision
    return block
  }

  @_noLocks
  private func wait(for revision: Int) {
    for _ in 0..<Self.patience {
      exchange.wait(for: blocks, period: given, frames: givenFrames, revision: revision, naps: 20)
      if blocks.isMade(period: given, frames: givenFrames, revision: revision) || exchange.isAbandoned()
        || share.pointee.revision.load(ordering: .acquiring) != revision
      {
        return
      }
    }
  }

  // MARK: Changes

  /// Goes on dry from the last sample, and as steeply as the last two samples rose.
  @_noLocks
  private mutating func goDry(after former: EffectSound) {
    processed = 0
    falling = change
    for channel in 0..<channels {
      let offset =
        Self.soundOrSilence(former.sample(channel, fromEnd: 1)) - passing * dry(channel, at: heard &- 1)
      memory.offsets[channel] = offset
      memory.rises[channel] =
        offset
        - (Self.soundOrSilence(former.sample(channel, fromEnd: 2)) - passing * dry(channel, at: heard &- 2))
    }
  }

  /// Writes the sound of a period in which something changes.
  @_noLocks
  private mutating func cross(_ made: EffectSound?, isWanted: Bool, passes: Float) {
    let first = (processed, passing, falling)
    for channel in 0..<channels {
      (processed, passing, falling) = first
      let (block, sound) = (made?[channel], sound[channel])
      for frame in 0..<frames {
        step(isWanted: isWanted, passes: passes)
        let dry = passing * dry(channel, at: heard &+ frame)
        let mixed =
          if let block { processed * Self.soundOrSilence(block[frame]) + (1 - processed) * dry } else { dry }
        guard falling > 0 else {
          sound[frame] = mixed
          continue
        }
        sound[frame] = mixed + memory.offsets[channel] * fall() + memory.rises[channel] * bend()
      }
    }
  }

  /// Moves all shares on by a frame.
  @_noLocks
  private mutating func step(isWanted: Bool, passes: Float) {
    let step = 1 / Float(change)
    passing = passes > passing ? min(passes, passing + step) : max(passes, passing - step)
    processed = isWanted ? min(1, processed + step) : max(0, processed - step)
    if falling > 0 { falling &-= 1 }
  }

  /// The share of the offsets that is left: it falls without a corner.
  @_noLocks
  private func fall() -> Float {
    let left = Float(falling) / Float(change)
    return left * left * (3 - 2 * left)
  }

  /// How far a rise of one in a frame has gone: it ends in an eighth of the time of a change, without a corner. In a longer time high tones
  /// would rise beyond the sound.
  @_noLocks
  private func bend() -> Float {
    let length = Float(change) / 8
    let done = Float(change &- falling)
    guard done < length else { return 0 }
    let left = 1 - done / length
    return done * left * left
  }

  // MARK: The dry sound

  /// A sample of the dry sound, by its frame since the start.
  @_noLocks
  private func dry(_ channel: Int, at frame: Int) -> Float {
    let frame = frame &- transport &- latency
    return frame < 0 ? 0 : Self.soundOrSilence(blocks.input(channel: channel)[Self.place(frame)])
  }

  /// Makes the dry sound of the period the sound.
  @_noLocks
  private func copyDry(_ channel: Int) {
    let (from, to) = (blocks.input(channel: channel), sound[channel])
    guard passing > 0 else {
      for frame in 0..<frames { to[frame] = 0 }
      return
    }
    let begin = heard &- transport &- latency
    let silent = min(frames, max(0, 0 &- begin))
    for frame in 0..<silent { to[frame] = 0 }
    var done = silent
    while done < frames {
      let place = Self.place(begin &+ done)
      let count = min(frames &- done, EffectLimits.circle &- place)
      for frame in 0..<count { to[done &+ frame] = Self.soundOrSilence(from[place &+ frame]) }
      done &+= count
    }
  }

  /// Completes the circle of the input: copies what stands behind its end to its beginning, and a period that was no block into it.
  @_noLocks
  private func remember(_ channel: Int) {
    let (from, to) = (input(channel), blocks.input(channel: channel))
    let place = Self.place(heard)
    let count = min(frames, EffectLimits.circle &- place)
    if from != to + place {
      UnsafeMutableRawPointer(to + place).copyMemory(from: from, byteCount: count &* 4)
    }
    guard count < frames else { return }
    UnsafeMutableRawPointer(to).copyMemory(from: from + count, byteCount: (frames &- count) &* 4)
  }

  /// Where a frame stands in the circles of input.
  @_noLocks
  private static func place(_ frame: Int) -> Int { frame & (EffectLimits.circle &- 1) }

  /// A sample of memory that the program shares; silence if a plugin has written something astray there that is no sound.
  @_noLocks
  private static func soundOrSilence(_ sample: Float) -> Float {
    Int32(bitPattern: sample.magnitude.bitPattern) <= loudest ? sample : 0
  }
}
