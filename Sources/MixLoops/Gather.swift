/// Bit pattern of 2^40, +240 dBFS: what is as loud as this, infinite or not a number, is broken, not sound.
///
/// The limit is far below the greatest number, so that no sum of sources can leave the finite numbers either.
public let brokenMagnitude: Int32 = 0x5380_0000

/// Copies a block of every source into rows `blockFrames` apart, and measures it on the way.
///
/// The copies put rows that are used many times side by side, and make it safe that a sink's buffer is a source's too.
/// A block that contains a broken sample becomes silence.
/// - Parameters:
///   - buffers: one pointer for each source; nil is silence.
///   - offset: first frame of the block in each buffer.
///   - frames: 1 to `blockFrames`.
///   - peaks: bit pattern of each source's greatest magnitude so far, raised where this block is louder.
///   - broken: blocks of each source that were broken so far.
@inline(never) @_noLocks
public func gather(
  _ buffers: UnsafePointer<UnsafePointer<Float>?>, count: Int, offset: Int, frames: Int,
  into packed: UnsafeMutablePointer<Float>, peaks: UnsafeMutablePointer<Int32>,
  broken: UnsafeMutablePointer<UInt32>
) {
  for source in 0..<count {
    let row = packed + source &* blockFrames
    guard let buffer = buffers[source] else {
      silence(row)
      continue
    }
    let peak = copy(buffer + offset, to: row, frames: frames)
    if peak >= brokenMagnitude {
      silence(row)
      broken[source] &+= 1
    } else if peak > peaks[source] {
      peaks[source] = peak
    }
  }
}

/// Clears a row.
@inline(always) @_noLocks
func silence(_ row: UnsafeMutablePointer<Float>) {
  var frame = 0
  while frame < blockFrames {
    store(Lanes(repeating: 0), row, frame)
    frame &+= laneCount
  }
}

/// Copies samples and returns the greatest magnitude as a bit pattern.
@inline(always) @_noLocks
func copy(_ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frames: Int) -> Int32 {
  var high = Words(repeating: 0)
  var higher = Words(repeating: 0)
  var frame = 0
  while frame &+ 2 &* laneCount <= frames {
    let first = lanes(input, frame)
    let second = lanes(input, frame &+ laneCount)
    high = greater(high, magnitudes(first))
    higher = greater(higher, magnitudes(second))
    store(first, output, frame)
    store(second, output, frame &+ laneCount)
    frame &+= 2 &* laneCount
  }
  var peak = greatest(greater(high, higher))
  while frame < frames {
    let sample = input[frame]
    output[frame] = sample
    let size = magnitude(sample)
    peak = size > peak ? size : peak
    frame &+= 1
  }
  return peak
}
