// Both loops add the rows in the same order whatever the width of a register, and Swift never fuses a product with a
// sum, so that every build yields the same bits. Whole tiles are computed even where a block ends within one: the packed
// rows are `blockFrames` long, and what is beyond the block's end is finite.
//
// Two registers of samples are multiplied and added as one value, because processors with separate units for products and
// sums are fastest with two of each in turn: 4.9 us instead of 5.5 us for 64 x 64 x 64 on an AMD Zen 4. The compiler keeps
// that order only if it tunes for such a processor, so the newer build does.

/// Mixes rows into a group of four sinks with gains that stand still, and measures the sinks.
/// - Parameters:
///   - runs: the group's rows in order, as runs of rows whose sources lie side by side: for each, where its first source
///     begins in `packed`, in samples, and how many rows it has. There is at least one, even if it has no rows.
///   - gains: four for each row, one for each sink.
///   - frames: 1 to `blockFrames`.
///   - outputs: where the four sinks go; whole tiles are written.
///   - peaks: bit pattern of each sink's greatest magnitude, of whole tiles.
@inline(never) @_noLocks
public func mixStill(
  _ runs: UnsafePointer<Int32>, count: Int, packed: UnsafePointer<Float>, gains: UnsafePointer<Float>,
  frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
) {
  let (outputA, outputB, outputC, outputD) = (outputs[0], outputs[1], outputs[2], outputs[3])
  var (peakA, peakB, peakC, peakD) = (quiet(), quiet(), quiet(), quiet())
  var first = gains
  for index in 0..<count {
    let rows = Int(runs[2 &* index &+ 1])
    var frame = 0
    while frame < frames {
      var input = packed + (Int(runs[2 &* index]) &+ frame)
      var (a, b, c, d) = (Tile(repeating: 0), Tile(repeating: 0), Tile(repeating: 0), Tile(repeating: 0))
      if index > 0 {
        a = tile(outputA + frame)
        b = tile(outputB + frame)
        c = tile(outputC + frame)
        d = tile(outputD + frame)
      }
      var gain = first
      for _ in 0..<rows {
        let x = tile(input)
        a = fused(a, x, gain[0])
        b = fused(b, x, gain[1])
        c = fused(c, x, gain[2])
        d = fused(d, x, gain[3])
        input += blockFrames
        gain += groupSinks
      }
      store(a, outputA + frame)
      store(b, outputB + frame)
      store(c, outputC + frame)
      store(d, outputD + frame)
      if index &+ 1 == count {
        measure(outputA + frame, &peakA)
        measure(outputB + frame, &peakB)
        measure(outputC + frame, &peakC)
        measure(outputD + frame, &peakD)
      }
      frame &+= tileFrames
    }
    first += rows &* groupSinks
  }
  peaks[0] = reduced(peakA)
  peaks[1] = reduced(peakB)
  peaks[2] = reduced(peakC)
  peaks[3] = reduced(peakD)
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
  _ runs: UnsafePointer<Int32>, count: Int, packed: UnsafePointer<Float>, from old: UnsafePointer<Float>,
  to new: UnsafePointer<Float>, frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
  peaks: UnsafeMutablePointer<Int32>
) {
  let step = 1 / Float(Int32(truncatingIfNeeded: frames))
  var pair = 0
  while pair < groupSinks {
    let (outputA, outputB) = (outputs[pair], outputs[pair &+ 1])
    var (peakA, peakB) = (quiet(), quiet())
    var (firstOld, firstNew) = (old + pair, new + pair)
    for index in 0..<count {
      let rows = Int(runs[2 &* index &+ 1])
      var frame = 0
      while frame < frames {
        var input = packed + (Int(runs[2 &* index]) &+ frame)
        var (startA, endA) = (Tile(repeating: 0), Tile(repeating: 0))
        var (startB, endB) = (Tile(repeating: 0), Tile(repeating: 0))
        var (start, end) = (firstOld, firstNew)
        for _ in 0..<rows {
          let x = tile(input)
          startA = fused(startA, x, start[0])
          startB = fused(startB, x, start[1])
          endA = fused(endA, x, end[0])
          endB = fused(endB, x, end[1])
          input += blockFrames
          start += groupSinks
          end += groupSinks
        }
        var a = line(startA, endA, after: frame, step: step)
        var b = line(startB, endB, after: frame, step: step)
        if index > 0 {
          a = sum(a, tile(outputA + frame))
          b = sum(b, tile(outputB + frame))
        }
        store(a, outputA + frame)
        store(b, outputB + frame)
        if index &+ 1 == count {
          measure(outputA + frame, &peakA)
          measure(outputB + frame, &peakB)
        }
        frame &+= tileFrames
      }
      firstOld += rows &* groupSinks
      firstNew += rows &* groupSinks
    }
    peaks[pair] = reduced(peakA)
    peaks[pair &+ 1] = reduced(peakB)
    pair &+= 2
  }
}

/// The magnitudes of silence.
@inline(always) @_noLocks
func quiet() -> Words { Words(repeating: 0) }

/// Raises peaks to the magnitudes of a tile that has just been written.
@inline(always) @_noLocks
func measure(_ tile: UnsafeMutablePointer<Float>, _ peaks: inout Words) {
  peaks = greater(peaks, greater(magnitudes(lanes(tile, 0)), magnitudes(lanes(tile, laneCount))))
}

/// The greatest of all. Not inlined: the compiler would weave four of these together, by ten times as many instructions.
@inline(never) @_noLocks
func reduced(_ peaks: Words) -> Int32 { greatest(peaks) }
