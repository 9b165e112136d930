internal import Synchronization

/// What the audio thread and the other threads tell each other about a chain of effects, beside the blocks.
package struct EffectShare: ~Copyable {
  /// Which load of the chain makes the blocks that are wanted; 0 for none.
  let revision = Atomic<Int>(0)
  /// Whether the sound passes the chain by.
  let isBypassed = Atomic<Bool>(false)
  /// Whether the sound of the last period was the chain's alone.
  let isProcessed = Atomic<Bool>(false)

  package init() {}
}
