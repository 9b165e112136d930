// Both loops add the rows in the same order whatever the width of a register, and Swift never fuses a product with a
// sum, so that every build yields the same bits. Whole registers are computed even where a block ends within one: the
// rows are `blockFrames` long and what is beyond the block's end is finite and never used.

/// Mixes rows into a group of four sinks with gains that stand still.
/// - Parameters:
///   - rows: how many rows there are.
///   - sources: for each row, where its source begins in `packed`, in samples.
///   - gains: four for each row, one for each sink.
///   - frames: 1 to `blockFrames`.
///   - mixed: four rows `blockFrames` apart.
@inline(never) @_noLocks
public func mixStill(
  rows: Int, sources: UnsafePointer<Int32>, packed: UnsafePointer<Float>, gains: UnsafePointer<Float>,
  frames: Int, into mixed: UnsafeMutablePointer<Float>
) {
  var frame = 0
  while frame < frames {
    let input = packed + frame
    var (a0, a1) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var (b0, b1) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var (c0, c1) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var (d0, d1) = (Lanes(repeating: 0), Lanes(repeating: 0))
    for row in 0..<rows {
      let source = Int(sources[row])
      let x0 = lanes(input, source)
      let x1 = lanes(input, source &+ laneCount)
      let gain = gains + row &* groupSinks
      let a = Lanes(repeating: gain[0])
      a0 += x0 * a
      a1 += x1 * a
      let b = Lanes(repeating: gain[1])
      b0 += x0 * b
      b1 += x1 * b
      let c = Lanes(repeating: gain[2])
      c0 += x0 * c
      c1 += x1 * c
      let d = Lanes(repeating: gain[3])
      d0 += x0 * d
      d1 += x1 * d
    }
    store(a0, mixed, frame)
    store(a1, mixed, frame &+ laneCount)
    store(b0, mixed, frame &+ blockFrames)
    store(b1, mixed, frame &+ blockFrames &+ laneCount)
    store(c0, mixed, frame &+ 2 &* blockFrames)
    store(c1, mixed, frame &+ 2 &* blockFrames &+ laneCount)
    store(d0, mixed, frame &+ 3 &* blockFrames)
    store(d1, mixed, frame &+ 3 &* blockFrames &+ laneCount)
    frame &+= 2 &* laneCount
  }
}

/// Mixes rows into a group of four sinks while gains move in a straight line from the block's start to its end.
///
/// The line is drawn on the sums, not on the gains: with s the sum by the old gains and e by the new ones, frame i of n is
/// s + (e - s) (i + 1) / n, which needs two sums but no gain per sample.
/// - Parameters:
///   - old: gains of the frame before the block, four for each row.
///   - new: gains of the block's last frame, four for each row.
///   Others as in `mixStill`.
@inline(never) @_noLocks
public func mixMoving(
  rows: Int, sources: UnsafePointer<Int32>, packed: UnsafePointer<Float>, from old: UnsafePointer<Float>,
  to new: UnsafePointer<Float>, frames: Int, into mixed: UnsafeMutablePointer<Float>
) {
  let step = 1 / Float(Int32(truncatingIfNeeded: frames))
  var pair = 0
  while pair < groupSinks {
    let output = mixed + pair &* blockFrames
    var frame = 0
    while frame < frames {
      let input = packed + frame
      var (a0, a1) = (Lanes(repeating: 0), Lanes(repeating: 0))
      var (b0, b1) = (Lanes(repeating: 0), Lanes(repeating: 0))
      var (c0, c1) = (Lanes(repeating: 0), Lanes(repeating: 0))
      var (d0, d1) = (Lanes(repeating: 0), Lanes(repeating: 0))
      for row in 0..<rows {
        let source = Int(sources[row])
        let x0 = lanes(input, source)
        let x1 = lanes(input, source &+ laneCount)
        let start = old + (row &* groupSinks &+ pair)
        let end = new + (row &* groupSinks &+ pair)
        let a = Lanes(repeating: start[0])
        a0 += x0 * a
        a1 += x1 * a
        let b = Lanes(repeating: end[0])
        b0 += x0 * b
        b1 += x1 * b
        let c = Lanes(repeating: start[1])
        c0 += x0 * c
        c1 += x1 * c
        let d = Lanes(repeating: end[1])
        d0 += x0 * d
        d1 += x1 * d
      }
      let way0 = (places() + Float(Int32(truncatingIfNeeded: frame))) * step
      let way1 = (places() + Float(Int32(truncatingIfNeeded: frame &+ laneCount))) * step
      store(a0 + (b0 - a0) * way0, output, frame)
      store(a1 + (b1 - a1) * way1, output, frame &+ laneCount)
      store(c0 + (d0 - c0) * way0, output, frame &+ blockFrames)
      store(c1 + (d1 - c1) * way1, output, frame &+ blockFrames &+ laneCount)
      frame &+= 2 &* laneCount
    }
    pair &+= 2
  }
}
