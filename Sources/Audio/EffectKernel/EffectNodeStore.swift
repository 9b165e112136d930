public import EffectBlocks
internal import Synchronization

/// Owns a chain of effects as the audio thread has it: makes its memory, frees it, and tells it what it needs to know.
///
/// A plan keeps the store until the audio thread has given the plan back. While a plan has it, the audio thread calls `node`.
///
/// Unchecked: the audio thread alone calls `node`; all else are atomics.
public final class EffectNodeStore: @unchecked Sendable {
  /// The audio thread's side, which exists as long as this object.
  public let node: UnsafeMutablePointer<EffectNode>
  public let channels, sideChannels: Int
  /// The chain's number in the memory that the effects program shares.
  public let place: Int
  /// Keeps the blocks.
  public let blocks: EffectMemoryStore
  private let share: UnsafeMutablePointer<EffectShare>
  private let memory: EffectNodeMemory

  /// - Parameters:
  ///   - place: from 0 to `EffectLimits.chains - 1`; no other node may use it at the same time.
  ///   - channels: 1 to `EffectLimits.channels`.
  ///   - sideChannels: 0 to `EffectLimits.sideChannels`.
  ///   - period: frames per period of the audio server.
  ///   - change: frames of the fade between the processed and the unprocessed sound, at least 1.
  public init(
    _ blocks: EffectMemoryStore, place: Int, channels: Int, sideChannels: Int = 0, period: Int, change: Int
  ) {
    precondition((0..<EffectLimits.chains).contains(place), "there is no place \(place)")
    precondition((1...EffectLimits.channels).contains(channels), "a chain has 1 to 8 channels")
    precondition(
      (0...EffectLimits.sideChannels).contains(sideChannels), "a side chain has at most 2 channels")
    (self.blocks, self.place) = (blocks, place)
    (self.channels, self.sideChannels) = (channels, sideChannels)
    blocks.touch(chain: place, channels: channels)
    memory = EffectNodeMemory(channels: channels, sideChannels: sideChannels, place: place)
    share = .allocate(capacity: 1)
    share.initialize(to: EffectShare())
    node = .allocate(capacity: 1)
    node.initialize(
      to: EffectNode(
        channels: channels, sideChannels: sideChannels, transport: period, change: change,
        exchange: blocks.exchange, blocks: blocks.exchange.chain(place), share: share, memory: memory))
  }

  deinit {
    node.deinitialize(count: 1)
    node.deallocate()
    share.deinitialize(count: 1)
    share.deallocate()
    memory.free()
  }

  // MARK: Any thread

  /// Says which load of the chain runs, as `EffectReport.loaded` tells it; nil if none does, so that nothing waits for it.
  public func setRevision(_ revision: Int?) {
    share.pointee.revision.store(revision ?? 0, ordering: .releasing)
  }

  /// Has the sound pass the chain by, with the same latency, or go through it.
  public func setBypassed(_ isBypassed: Bool) {
    share.pointee.isBypassed.store(isBypassed, ordering: .relaxed)
  }

  /// Puts silence in the place of blocks that are missing, or the dry sound.
  public func setFallsSilent(_ isSilent: Bool) {
    share.pointee.fallsSilent.store(isSilent, ordering: .relaxed)
  }

  /// Has the sound of sinks go through the chain, or beside it without its latency. A change takes ten times the `change` of the chain.
  public func setInserted(_ isInserted: Bool) {
    share.pointee.isInserted.store(isInserted, ordering: .relaxed)
  }

  /// Whether all of the sinks' sound passed beside the chain in the last period, so that a structure without the chain sounds the same.
  public var isBeside: Bool { share.pointee.isBeside.load(ordering: .relaxed) }

  /// Whether the sound of the last period was the chain's alone.
  public var isProcessed: Bool { share.pointee.isProcessed.load(ordering: .relaxed) }
}
