package import EffectBlocks
internal import Synchronization

/// A chain of effects as the audio thread has it: its sound is the block that the effects program has processed of the period before, or the
/// input with the same latency (dry).
///
/// The audio thread alone calls it, and nothing here waits, except in freewheel. Each period calls `begin`, writes the inputs, and calls `end`;
/// then `ask`, once for all chains of a program.
///
/// A block that is missing is replaced in that same period: the sound goes on from its last sample, and comes to the dry sound within the time
/// of a change. When blocks come again, it crosses back. A dry sound that gets another latency does the same.
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

  // MARK: The last period

  /// The last period whose input was given as a block, and its frames; 0 for none.
  private var given = 0
  private var givenFrames = 0
  /// Which load of the chain ran when it was given. A load that came later has not got the block, so nothing may wait for it.
  private var givenRevision = 0

  // MARK: Since the start

  /// Frames of the input.
  private var heard = 0
  /// Frames between an input and its processed sound, without the plugins: the longest period so far.
  private var transport: Int
  /// Frames by which the plugins delay the sound.
  private var latency = 0
  /// Share of the processed sound, 0 to 1; the rest is dry.
  private var processed: Float = 0
  /// Frames until the sound has come to its sources (`EffectNodeMemory.offsets`).
  private var falling = 0

  /// Naps of a millisecond in freewheel before the audio goes on without the block: 5 s.
  private static var patience: Int { @_noLocks get { 5_000 } }
  /// Bit pattern of the greatest amplitude that is a sound and no fault, as for all sources of the mix: 240 dBFS.
  private static var loudest: UInt32 { @_noLocks get { Float(0x1p40).bitPattern } }

  package init(
    channels: Int, sideChannels: Int, transport: Int, change: Int, exchange: EffectExchange,
    blocks: EffectBlocks, share: UnsafeMutablePointer<EffectShare>, memory: EffectNodeMemory
  ) {
    (self.channels, self.sideChannels, self.change) = (channels, sideChannels, change)
    (self.transport, self.exchange, self.blocks) = (transport, exchange, blocks)
    (self.share, self.memory) = (share, memory)
  }

  // MARK: A period

  /// Begins a period: makes its sound.
  ///
  /// - Parameters:
  ///   - frames: length of the period, at most 8,192.
  ///   - waits: whether to wait for the block, at most 5 s: in freewheel and offline alone.
  @_noLocks
  public mutating func begin(frames: Int, waits: Bool) {
    (period, self.frames) = (exchange.asked() &+ 1, frames)
    let isThere = take(waits: waits)
    // A dry sound of a longer period needs samples that only a longer delay has.
    let transport = max(self.transport, frames)
    let latency = isThere ? blocks.latency(period: given) : self.latency
    let isDelayedAnew = transport &+ latency != self.transport &+ self.latency
    (self.transport, self.latency) = (transport, latency)
    if isThere ? isDelayedAnew && processed < 1 : isDelayedAnew || processed > 0 { goDry() }
    let isWanted = isThere && !share.pointee.isBypassed.load(ordering: .relaxed)
    if falling == 0, processed == (isWanted ? 1 : 0) {
      if !isWanted { for channel in 0..<channels { copyDry(channel) } }
    } else {
      cross(isThere: isThere, isWanted: isWanted)
    }
    for channel in 0..<channels { memory.last[channel] = sound(channel)[frames &- 1] }
    share.pointee.isProcessed.store(processed == 1, ordering: .relaxed)
  }

  /// The period's sound.
  @_noLocks
  public func sound(_ channel: Int) -> UnsafeMutablePointer<Float> {
    memory.sound + channel &* EffectNodeMemory.longest
  }

  /// Where the samples of this period of an input go: the chain's channels, and then those of the side chain.
  @_noLocks
  public func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
    memory.input + channel &* EffectNodeMemory.longest
  }

  /// Ends the period: the program may process the inputs after `ask`.
  @_noLocks
  public mutating func end() {
    for channel in 0..<channels { remember(channel) }
    heard &+= frames
    (given, givenFrames) = (0, 0)
    guard frames <= blocks.longest else { return }
    for channel in 0..<channels { give(channel, as: channel) }
    for side in 0..<sideChannels { give(channels &+ side, as: EffectLimits.channels &+ side) }
    givenRevision = share.pointee.revision.load(ordering: .acquiring)
    blocks.give(period: period, frames: frames)
    (given, givenFrames) = (period, frames)
  }

  /// Has the program process the inputs of all its chains that have ended the period.
  @_noLocks
  public func ask() { exchange.ask(period: period, frames: frames) }

  @_noLocks
  private func give(_ channel: Int, as number: Int) {
    UnsafeMutableRawPointer(blocks.input(channel: number, period: period)).copyMemory(
      from: input(channel), byteCount: frames &* 4)
  }

  // MARK: The processed block

  /// Copies the processed block of the period before into the sound. Returns whether it is there, whole, and all of it is sound.
  @_noLocks
  private mutating func take(waits: Bool) -> Bool {
    let revision = share.pointee.revision.load(ordering: .acquiring)
    // After a period of another length the block does not end where this period's sound does.
    guard revision > 0, givenRevision == revision, given &+ 1 == period, givenFrames == transport,
      frames <= transport
    else {
      return false
    }
    if waits { wait(for: revision) }
    guard blocks.take(period: given, frames: givenFrames, revision: revision) else { return false }
    var loudest: UInt32 = 0
    for channel in 0..<channels {
      let (from, to) = (blocks.output(channel: channel, period: given), sound(channel))
      for frame in 0..<frames {
        let sample = from[frame]
        loudest = max(loudest, sample.magnitude.bitPattern)
        to[frame] = sample
      }
    }
    return loudest < Self.loudest
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

  /// Goes on dry from the last sample.
  @_noLocks
  private mutating func goDry() {
    processed = 0
    falling = change
    for channel in 0..<channels {
      memory.offsets[channel] = memory.last[channel] - dry(channel, at: heard &- 1)
    }
  }

  /// Writes the sound of a period in which something changes.
  @_noLocks
  private mutating func cross(isThere: Bool, isWanted: Bool) {
    let (first, firstFalling) = (processed, falling)
    for channel in 0..<channels {
      (processed, falling) = (first, firstFalling)
      let sound = sound(channel)
      for frame in 0..<frames {
        step(isWanted: isWanted)
        let dry = dry(channel, at: heard &+ frame)
        let mixed = isThere ? processed * sound[frame] + (1 - processed) * dry : dry
        sound[frame] = falling > 0 ? mixed + memory.offsets[channel] * fall() : mixed
      }
    }
  }

  /// Moves all shares on by a frame.
  @_noLocks
  private mutating func step(isWanted: Bool) {
    let step = 1 / Float(change)
    processed = isWanted ? min(1, processed + step) : max(0, processed - step)
    if falling > 0 { falling &-= 1 }
  }

  /// The share of the offsets that is left: it falls without a corner.
  @_noLocks
  private func fall() -> Float {
    let left = Float(falling) / Float(change)
    return left * left * (3 - 2 * left)
  }

  // MARK: The dry sound

  /// A sample of the dry sound, by its frame since the start.
  @_noLocks
  private func dry(_ channel: Int, at frame: Int) -> Float {
    let place = frame &- transport &- latency
    return place < 0 ? 0 : circle(channel)[place & (memory.historyFrames &- 1)]
  }

  /// Copies the dry sound of the period into the sound.
  @_noLocks
  private func copyDry(_ channel: Int) {
    let (from, to) = (circle(channel), sound(channel))
    let begin = heard &- transport &- latency
    let silent = min(frames, max(0, 0 &- begin))
    for frame in 0..<silent { to[frame] = 0 }
    var done = silent
    while done < frames {
      let place = (begin &+ done) & (memory.historyFrames &- 1)
      let count = min(frames &- done, memory.historyFrames &- place)
      UnsafeMutableRawPointer(to + done).copyMemory(from: from + place, byteCount: count &* 4)
      done &+= count
    }
  }

  /// Copies the input of the period into the history.
  @_noLocks
  private func remember(_ channel: Int) {
    let (from, to) = (input(channel), circle(channel))
    var done = 0
    while done < frames {
      let place = (heard &+ done) & (memory.historyFrames &- 1)
      let count = min(frames &- done, memory.historyFrames &- place)
      UnsafeMutableRawPointer(to + place).copyMemory(from: from + done, byteCount: count &* 4)
      done &+= count
    }
  }

  @_noLocks
  private func circle(_ channel: Int) -> UnsafeMutablePointer<Float> {
    memory.history + channel &* memory.historyFrames
  }
}
