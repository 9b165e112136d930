/// The sum of the squares of a block's samples. A mean is accurate enough with it: the builds may differ in the last bits.
@inline(never) @_noLocks
public func sumOfSquares(_ samples: UnsafePointer<Float>, frames: Int) -> Float {
  var sums = Lanes(repeating: 0)
  var frame = 0
  while frame &+ laneCount <= frames {
    let samples = lanes(samples, frame)
    sums += samples * samples
    frame &+= laneCount
  }
  var sum: Float = 0
  for lane in 0..<laneCount { sum += sums[lane] }
  while frame < frames {
    sum += samples[frame] * samples[frame]
    frame &+= 1
  }
  return sum
}
