/// Memory of the audio thread for a chain of effects. `EffectNodeStore` makes and frees it.
package struct EffectNodeMemory: BitwiseCopyable {
  /// Frames of the longest period.
  static var longest: Int { @_noLocks get { 8_192 } }

  /// The sound of the present period if it is not the program's block, channel by channel, then its input if the period is longer than a block,
  /// and then that of the side chain. Each follows the one before after whole cache lines, so that a short period needs few lines.
  let samples: UnsafeMutablePointer<Float>
  /// Of each channel by how much the sound was beside its sources when it left them, and by how much that rose in a frame.
  let offsets, rises: UnsafeMutablePointer<Float>
  /// All of it.
  let allocation: UnsafeMutableRawPointer
}
