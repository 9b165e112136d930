internal import CRealtime
internal import Synchronization

/// The blocks of one chain: the audio thread gives a block of each period to the effects program, and takes the processed block of the period
/// before. Neither waits for the other.
///
/// The audio thread writes the input into a circle for each channel, and reads the dry sound there later. Of processed blocks, and of blocks for
/// side chains, there are two: for odd and for even periods, so that a block is at rest while the other side has it. A program that is two periods
/// late finds samples of another period there, and what it makes of them is not taken. The program makes each block once, also if it loads the
/// chain anew meanwhile: the audio thread mixes straight from the block.
public struct EffectBlocks: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the pointers lead to memory that two processes share, in which all but samples and meters are atomics.
  private let given: UnsafeMutablePointer<EffectGivenWords>
  private let made: UnsafeMutablePointer<EffectMadeWords>
  private let words: UnsafeMutablePointer<EffectChainWords>
  private let effects: UnsafeMutablePointer<EffectWords>
  private let meters: UnsafeMutablePointer<Float>
  private let samples: UnsafeMutablePointer<Float>
  private let circleStride, sides, outputs: Int
  /// Frames of a block at most.
  public let longest: Int

  @_noLocks
  init(_ memory: UnsafeMutableRawPointer, _ layout: EffectLayout, chain: Int) {
    let base = memory + (EffectLayout.chains &+ chain &* EffectLayout.chainStride)
    given = (base + EffectLayout.given).assumingMemoryBound(to: EffectGivenWords.self)
    made = (base + EffectLayout.made).assumingMemoryBound(to: EffectMadeWords.self)
    words = (base + EffectLayout.chain).assumingMemoryBound(to: EffectChainWords.self)
    effects = (base + EffectLayout.effects).assumingMemoryBound(to: EffectWords.self)
    meters = (base + EffectLayout.meters).assumingMemoryBound(to: Float.self)
    samples = (memory + (EffectLayout.samples &+ chain &* layout.sampleStride()))
      .assumingMemoryBound(to: Float.self)
    (circleStride, sides, outputs) = (layout.circleStride(), layout.sides(), layout.outputs())
    longest = layout.frames
  }

  // MARK: Samples

  /// The circle of a channel of the input: `EffectLimits.circle` frames, and behind its end room for the rest of a block that begins in it.
  @_noLocks
  public func input(channel: Int) -> UnsafeMutablePointer<Float> { samples + channel &* circleStride }

  /// The memory for a channel of the sound that the side chain hears in a period.
  @_noLocks
  public func side(channel: Int, period: Int) -> UnsafeMutablePointer<Float> {
    samples + (sides &+ ((period & 1) &* EffectLimits.sideChannels &+ channel) &* longest)
  }

  /// The memory for a channel of the processed block of a period, `longest` floats before that of the next channel.
  @_noLocks
  public func output(channel: Int, period: Int) -> UnsafeMutablePointer<Float> {
    samples + (outputs &+ ((period & 1) &* EffectLimits.channels &+ channel) &* longest)
  }

  // MARK: The audio thread

  /// Gives the program the block of a period, whose samples are in `input` and `side`. `EffectExchange.ask` follows, once for all chains.
  ///
  /// - Parameters:
  ///   - period: a number that grows by one with each period, from 1.
  ///   - begin: where the block begins in the circles, below `EffectLimits.circle`.
  ///   - frames: at most `longest`.
  @_noLocks
  public func give(period: Int, begin: Int, frames: Int) {
    let block = given + (period & 1)
    block.pointee.frames.store(frames, ordering: .relaxed)
    block.pointee.begin.store(begin, ordering: .relaxed)
    block.pointee.period.store(period, ordering: .releasing)
  }

  /// Whether the processed block of a period is there, in `output`, whole, and made by a load of the chain. If it is not, it counts as late.
  @_noLocks
  public func take(period: Int, frames: Int, revision: Int) -> Bool {
    if isMade(period: period, frames: frames, revision: revision) { return true }
    words.pointee.late.wrappingAdd(1, ordering: .relaxed)
    return false
  }

  /// The same without counting.
  @_noLocks
  package func isMade(period: Int, frames: Int, revision: Int) -> Bool {
    let block = made + (period & 1)
    return block.pointee.period.load(ordering: .acquiring) == period
      && block.pointee.frames.load(ordering: .relaxed) == frames
      && block.pointee.revision.load(ordering: .relaxed) == revision
  }

  /// Frames by which the plugins have delayed the processed block of a period, 0 to `EffectLimits.latency`.
  @_noLocks
  public func latency(period: Int) -> Int {
    let frames = (made + (period & 1)).pointee.latency.load(ordering: .relaxed)
    return max(0, min(EffectLimits.latency, frames))
  }

  // MARK: The program's sound thread

  /// Where the block of a period begins in the circles, and its length in frames; nil if the audio thread has not given it, or has given a later
  /// one.
  @_noLocks
  package func given(period: Int) -> (begin: Int, frames: Int)? {
    let block = given + (period & 1)
    guard block.pointee.period.load(ordering: .acquiring) == period else { return nil }
    let (begin, frames) = (
      block.pointee.begin.load(ordering: .relaxed), block.pointee.frames.load(ordering: .relaxed)
    )
    guard frames > 0, frames <= longest else { return nil }
    return (begin & (EffectLimits.circle &- 1), frames)
  }

  /// Gives the audio thread the processed block of a period, whose samples are in `output`.
  @_noLocks
  package func finish(period: Int, frames: Int, latency: Int, revision: Int) {
    let block = made + (period & 1)
    block.pointee.frames.store(frames, ordering: .relaxed)
    block.pointee.latency.store(latency, ordering: .relaxed)
    block.pointee.revision.store(revision, ordering: .relaxed)
    block.pointee.period.store(period, ordering: .releasing)
    words.pointee.latency.store(latency, ordering: .relaxed)
  }

  /// Notes how long a run of an effect took, in nanoseconds.
  @_noLocks
  package func note(effect: Int, nanoseconds: Int) {
    let words = effects + effect
    words.pointee.total.wrappingAdd(nanoseconds, ordering: .relaxed)
    words.pointee.runs.wrappingAdd(1, ordering: .relaxed)
  }

  /// Notes that an effect is faulty.
  @_noLocks
  package func note(effect: Int, fault: EffectFault) {
    (effects + effect).pointee.fault.store(fault.rawValue, ordering: .releasing)
  }

  /// The memory for what plugins show.
  @_noLocks
  package func meter(_ index: Int) -> UnsafeMutablePointer<Float> { meters + index }

  // MARK: Any thread

  /// Blocks that the audio thread wanted and that were not there, since the start.
  @_noLocks
  public func late() -> Int { words.pointee.late.load(ordering: .relaxed) }

  /// Frames by which the chain delayed its last block, 0 to `EffectLimits.latency`.
  @_noLocks
  public func latency() -> Int {
    max(0, min(EffectLimits.latency, words.pointee.latency.load(ordering: .relaxed)))
  }

  /// What a plugin shows, by its number in the chain; nil if that is no finite number.
  @_noLocks
  public func shown(_ index: Int) -> Float? { meters[index].isFinite ? meters[index] : nil }

  /// The fault of an effect; nil if it has none.
  @_noLocks
  public func fault(effect: Int) -> EffectFault? {
    EffectFault(rawValue: (effects + effect).pointee.fault.load(ordering: .acquiring))
  }

  /// Nanoseconds of all runs of an effect since it was loaded, and their number.
  @_noLocks
  public func times(effect: Int) -> (nanoseconds: Int, runs: Int) {
    let words = effects + effect
    return (words.pointee.total.load(ordering: .relaxed), words.pointee.runs.load(ordering: .relaxed))
  }

  /// Begins anew with a chain of a latency, which has no faults yet. The program's sound thread alone.
  @_noLocks
  package func begin(latency: Int) {
    for effect in 0..<EffectLimits.effects {
      let words = effects + effect
      words.pointee.fault.store(0, ordering: .relaxed)
      words.pointee.total.store(0, ordering: .relaxed)
      words.pointee.runs.store(0, ordering: .relaxed)
    }
    for meter in 0..<EffectLimits.meters { meters[meter] = 0 }
    words.pointee.latency.store(latency, ordering: .relaxed)
    for block in 0..<2 { (made + block).pointee.period.store(0, ordering: .relaxed) }
  }
}
