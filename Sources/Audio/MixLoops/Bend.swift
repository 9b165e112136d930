/// Mixes rows into a group of four sinks while each gain goes its own way from the block's start to its end: a parabola.
///
/// With s the sum by the old gains, e the sum by the new ones, b the sum by the bends and w the way of a frame, the frame is
/// s + (e - s) w + b w (1 - w). Three sums follow curves of any phase.
/// - Parameters:
///   - bends: what each gain has beyond the common way, four for each row (`bend`).
///   Others as in `mixMoving`.
@inline(never) @_noLocks
public func mixBending(
  _ starts: UnsafePointer<Int32>, rows: Int, packed: UnsafePointer<Float>, from old: UnsafePointer<Float>,
  to new: UnsafePointer<Float>, bends: UnsafePointer<Float>, ways: UnsafePointer<Float>,
  frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
) {
  var peakOfEach = Peaks()
  var pair = 0
  while pair < groupSinks {
    let (outputA, outputB) = (outputs[pair], outputs[pair &+ 1])
    var (peakA, peakB) = (Words(repeating: 0), Words(repeating: 0))
    var frame = 0
    while frame < frames {
      let input = packed + frame
      var (startA, endA) = (Tile.silence(), Tile.silence())
      var (startB, endB) = (Tile.silence(), Tile.silence())
      var (bendA, bendB) = (Tile.silence(), Tile.silence())
      var (start, end, bend) = (old + pair, new + pair, bends + pair)
      for row in 0..<rows {
        let x = Tile.read(input + Int(starts[row]))
        startA = startA.adding(x, start[0])
        startB = startB.adding(x, start[1])
        endA = endA.adding(x, end[0])
        endB = endB.adding(x, end[1])
        bendA = bendA.adding(x, bend[0])
        bendB = bendB.adding(x, bend[1])
        start += groupSinks
        end += groupSinks
        bend += groupSinks
      }
      let way = Tile.read(ways + frame)
      let a = between(startA, endA, way, bend: bendA)
      let b = between(startB, endB, way, bend: bendB)
      a.write(outputA + frame)
      b.write(outputB + frame)
      a.raise(&peakA)
      b.raise(&peakB)
      frame &+= tileFrames
    }
    if pair == 0 {
      (peakOfEach.a, peakOfEach.b) = (peakA, peakB)
    } else {
      (peakOfEach.c, peakOfEach.d) = (peakA, peakB)
    }
    pair &+= 2
  }
  UnsafeMutableRawPointer(peaks).storeBytes(of: peakOfEach.greatest(), as: SIMD4<Int32>.self)
}
