/// Limits a block of every sink, measures it and puts it into the sink's buffer.
///
/// The limiter has no memory and no latency: a sample within the ceiling passes bit for bit, any other becomes the ceiling.
/// - Parameters:
///   - mixed: rows `blockFrames` apart, one for each sink.
///   - buffers: one pointer for each sink; nil when nobody takes the samples.
///   - offset: first frame of the block in each buffer.
///   - frames: 1 to `blockFrames`.
///   - ceilings: the greatest magnitude let through, infinity for none, one for each sink.
///   - peaks: bit pattern of each sink's greatest magnitude so far, after the limiter.
///   - limited: samples of each sink that were limited so far.
@inline(never) @_noLocks
public func finish(
  _ mixed: UnsafeMutablePointer<Float>, count: Int, buffers: UnsafePointer<UnsafeMutablePointer<Float>?>,
  offset: Int, frames: Int, ceilings: UnsafePointer<Float>, peaks: UnsafeMutablePointer<Int32>,
  limited: UnsafeMutablePointer<UInt32>
) {
  for sink in 0..<count {
    let row = mixed + sink &* blockFrames
    var peak: Int32
    var output = row
    if let buffer = buffers[sink] {
      output = buffer + offset
      peak = copy(row, to: output, frames: frames)
    } else {
      peak = copy(row, to: row, frames: frames)
    }
    let ceiling = magnitude(ceilings[sink])
    if peak > ceiling {
      limited[sink] &+= limit(output, frames: frames, ceiling: ceilings[sink])
      peak = ceiling
    }
    if peak > peaks[sink] { peaks[sink] = peak }
  }
}

/// Limits samples in place and returns how many were too loud.
@inline(always) @_noLocks
func limit(_ samples: UnsafeMutablePointer<Float>, frames: Int, ceiling: Float) -> UInt32 {
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
