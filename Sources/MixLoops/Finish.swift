/// Copies samples and returns the bit pattern of their greatest magnitude.
@inline(never) @_noLocks
public func copyAndMeasure(
  _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frames: Int
) -> Int32 {
  copy(input, to: output, frames: frames)
}

/// Limits samples in place and returns how many were too loud.
///
/// The limiter has no memory and no latency: a sample within the ceiling passes bit for bit, any other becomes the ceiling.
@inline(never) @_noLocks
public func limit(_ samples: UnsafeMutablePointer<Float>, frames: Int, ceiling: Float) -> UInt32 {
  var count: UInt32 = 0
  for frame in 0..<frames {
    let sample = samples[frame]
    let high = sample > ceiling
    let low = sample < -ceiling
    samples[frame] = high ? ceiling : low ? -ceiling : sample
    count &+= high || low ? 1 : 0
  }
  return count
}

/// Multiplies samples in place by a gain that moves in a straight line.
/// - Parameters:
///   - old: gain of the frame before the block.
///   - new: gain of the block's last frame.
@inline(never) @_noLocks
public func scale(_ samples: UnsafeMutablePointer<Float>, frames: Int, from old: Float, to new: Float) {
  let step = (new - old) / Float(Int32(truncatingIfNeeded: frames))
  for frame in 0..<frames {
    samples[frame] *= old + step * Float(Int32(truncatingIfNeeded: frame &+ 1))
  }
}

/// Fades from one signal to another in a straight line, in place.
/// - Parameters:
///   - signal: what is heard less and less.
///   - other: what is heard more and more.
///   - elapsed: frames of the fade that are over.
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
