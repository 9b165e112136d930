/// Bit pattern of 2^40, which is +240 dBFS. A sample that is at least as loud, infinite or not a number is broken.
///
/// The limit is so far below the greatest floating-point number that no sum of sources can become infinite.
public let brokenMagnitude: Int32 = 0x5380_0000

/// Copies a block of every source into rows that are `blockFrames` apart, and measures it.
///
/// The copies put the rows, which are read many times, next to each other, and allow a sink to use the buffer of a source.
/// A block that contains a broken sample becomes silence.
/// - Parameters:
///   - buffers: one pointer for each source; nil is silence.
///   - offset: first frame of the block in each buffer.
///   - frames: length of the block, 1 to `blockFrames`.
///   - packed: the rows.
///   - peaks: bit pattern of each source's greatest magnitude so far, raised if this block is louder.
///   - broken: number of broken blocks of each source so far.
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
