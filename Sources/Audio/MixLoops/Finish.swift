/// Copies samples and returns the greatest magnitude as a bit pattern.
@inline(never) @_noLocks
public func copyAndMeasure(
  _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frames: Int
) -> Int32 {
  copy(input, to: output, frames: frames)
}

/// Limits samples in place and returns how many were too loud.
///
/// The limiter has no memory and no latency: a sample up to the ceiling stays as it is, bit for bit; a louder one becomes the ceiling.
/// - Parameters:
///   - old: ceiling at the last frame before the block.
///   - new: ceiling at the block's last frame.
///   - ways: the part of the way from the old ceiling to the new one, for each frame.
@inline(never) @_noLocks
public func limit(
  _ samples: UnsafeMutablePointer<Float>, frames: Int, from old: Float, to new: Float,
  ways: UnsafePointer<Float>
) -> UInt32 {
  // A difference of 0 leaves the ceiling exact.
  let span = new - old
  var count: UInt32 = 0
  for frame in 0..<frames {
    let sample = samples[frame]
    let ceiling = old + span * ways[frame]
    let high = sample > ceiling
    let low = sample < -ceiling
    samples[frame] = high ? ceiling : low ? -ceiling : sample
    count &+= high || low ? 1 : 0
  }
  return count
}

/// Multiplies samples in place by a gain that changes as in `mixBending`.
/// - Parameters:
///   - old: gain of the last frame before the block.
///   - new: gain of the block's last frame.
///   - bend: what the gain has beyond the common way.
///   - ways: the part of the way from the old gain to the new one, for each frame.
@inline(never) @_noLocks
public func scale(
  _ samples: UnsafeMutablePointer<Float>, frames: Int, from old: Float, to new: Float, bend: Float,
  ways: UnsafePointer<Float>
) {
  let span = new - old
  for frame in 0..<frames {
    let way = ways[frame]
    samples[frame] *= old + span * way + bend * (way * (1 - way))
  }
}

/// Crossfades from one signal to another in a straight line, in place.
/// - Parameters:
///   - signal: the signal that fades out, and the result.
///   - other: the signal that fades in.
///   - elapsed: frames of the fade that have passed.
///   - step: 1 / frames of the whole fade.
@inline(never) @_noLocks
public func crossfade(
  _ signal: UnsafeMutablePointer<Float>, to other: UnsafePointer<Float>, frames: Int, elapsed: Int,
  step: Float
) {
  for frame in 0..<frames {
    let way = Float(Int32(truncatingIfNeeded: elapsed &+ frame &+ 1)) * step
    let share: Float = way < 1 ? way : 1
    signal[frame] += (other[frame] - signal[frame]) * share
  }
}
