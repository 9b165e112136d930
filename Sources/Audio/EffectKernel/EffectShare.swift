internal import Synchronization

/// What the audio thread and the other threads tell each other about a chain of effects, beside the blocks.
package struct EffectShare: ~Copyable {
  /// Which load of the chain makes the blocks that are wanted; 0 for none.
  let revision = Atomic<Int>(0)
  /// Whether the sound passes the chain by.
  let isBypassed = Atomic<Bool>(false)
  /// Whether there is silence in place of the dry sound.
  let fallsSilent = Atomic<Bool>(false)
  /// Whether a sink's sound goes through the chain (`EffectNode.insert`).
  let isInserted = Atomic<Bool>(false)
  /// Whether all of a sink's sound passed beside the chain in the last period.
  let isBeside = Atomic<Bool>(true)
  /// Whether the sound of the last period was the chain's alone.
  let isProcessed = Atomic<Bool>(false)

  package init() {}
}
