/// Memory of the audio thread for a chain of effects. `EffectNodeStore` makes and frees it.
package struct EffectNodeMemory: BitwiseCopyable {
  /// Frames of the longest period.
  static var longest: Int { @_noLocks get { 8_192 } }

  /// The sound of the present period, channel by channel, then its input, and then that of the side chain. Each follows the one before after
  /// whole cache lines, so that a short period needs few lines.
  let samples: UnsafeMutablePointer<Float>
  /// The last samples of the input of each channel, as circles one after the other.
  let history: UnsafeMutablePointer<Float>
  /// Length of a circle; a power of two.
  let historyFrames: Int
  /// Frames between two circles.
  static var gap: Int { @_noLocks get { 64 } }
  /// Of each channel the last sample of the sound, and the one before it.
  let last, former: UnsafeMutablePointer<Float>
  /// Of each channel by how much the sound was beside its sources when it left them, and by how much that rose in a frame.
  let offsets, rises: UnsafeMutablePointer<Float>
  /// All of it.
  let allocation: UnsafeMutableRawPointer
}
