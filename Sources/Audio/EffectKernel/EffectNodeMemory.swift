/// Memory of the audio thread for a chain of effects. `EffectNodeStore` makes and frees it.
package struct EffectNodeMemory: BitwiseCopyable {
  /// Frames of the longest period.
  static var longest: Int { @_noLocks get { 8_192 } }

  /// The sound of the present period, channel by channel.
  let sound: UnsafeMutablePointer<Float>
  /// The input of the present period, channel by channel, and then that of the side chain.
  let input: UnsafeMutablePointer<Float>
  /// The last samples of the input of each channel, as circles one after the other.
  let history: UnsafeMutablePointer<Float>
  /// Length of a circle; a power of two.
  let historyFrames: Int
  /// Of each channel the last sample of the sound, and by how much the sound is beside its sources.
  let last, offsets: UnsafeMutablePointer<Float>

  package init(
    sound: UnsafeMutablePointer<Float>, input: UnsafeMutablePointer<Float>,
    history: UnsafeMutablePointer<Float>, historyFrames: Int, last: UnsafeMutablePointer<Float>,
    offsets: UnsafeMutablePointer<Float>
  ) {
    (self.sound, self.input, self.history) = (sound, input, history)
    (self.historyFrames, self.last, self.offsets) = (historyFrames, last, offsets)
  }
}
