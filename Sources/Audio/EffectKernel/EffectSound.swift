/// The sound of a period of a chain.
struct EffectSound: BitwiseCopyable {
  let first: UnsafeMutablePointer<Float>
  /// Floats from a channel to the next.
  let stride: Int
  /// The length of the period; 0 before the first one.
  let frames: Int

  /// The samples of a channel.
  subscript(channel: Int) -> UnsafeMutablePointer<Float> { @_noLocks get { first + channel &* stride } }

  /// A sample counted from the end, 1 for the last one; the first sample if there are not so many.
  @_noLocks
  func sample(_ channel: Int, fromEnd distance: Int) -> Float { self[channel][max(0, frames &- distance)] }
}
