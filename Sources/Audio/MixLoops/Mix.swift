// Both loops add the rows in the same order for every width of registers, and Swift never fuses a product with a sum by itself. So every
// build yields the same bits. If a block ends within a tile, the whole tile is computed: the packed rows are `blockFrames` long, and the
// samples after the block's end are finite.
//
// Two registers of samples are multiplied and added as one value, because processors with separate units for products and
// sums are fastest with two of each in turn: 4.9 us instead of 5.5 us for 64 x 64 x 64 on an AMD Zen 4. The compiler keeps
// that order only if it tunes for such a processor, as it does for the newer build.

/// Mixes rows into a group of four sinks with constant gains, and measures the sinks.
/// - Parameters:
///   - runs: runs of rows whose sources are consecutive in `packed`, in the order of the group's rows. Each run is two words: the index
///     of its first sample in `packed`, and its number of rows. There is at least one run, which may have no rows.
///   - count: number of runs.
///   - packed: a block of every source, in rows `blockFrames` apart.
///   - gains: four gains for each row, one for each sink.
///   - frames: length of the block, 1 to `blockFrames`.
///   - outputs: the memory for the four sinks; whole `Wide`s are written.
///   - peaks: bit pattern of the greatest magnitude written for each sink.
@inline(never) @_noLocks
public func mixStill(
  _ runs: UnsafePointer<Int32>, count: Int, packed: UnsafePointer<Float>, gains: UnsafePointer<Float>,
  frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
) {
  var peakOfEach = Peaks()
  var first = gains
  for index in 0..<count {
    let (input, rows) = (packed + Int(runs[2 &* index]), Int(runs[2 &* index &+ 1]))
    let (goesOn, isLast) = (index > 0, index &+ 1 == count)
    var frame = 0
    while frame < frames {
      let (outputA, outputB) = (outputs[0] + frame, outputs[1] + frame)
      let (outputC, outputD) = (outputs[2] + frame, outputs[3] + frame)
      var (a, b, c, d) = (Wide.silence(), Wide.silence(), Wide.silence(), Wide.silence())
      if goesOn {
        a = Wide.read(outputA)
        b = Wide.read(outputB)
        c = Wide.read(outputC)
        d = Wide.read(outputD)
      }
      var (source, gain) = (input + frame, first)
      for _ in 0..<rows {
        let x = Wide.read(source)
        a = a.adding(x, gain[0])
        b = b.adding(x, gain[1])
        c = c.adding(x, gain[2])
        d = d.adding(x, gain[3])
        source += blockFrames
        gain += groupSinks
      }
      a.write(outputA)
      b.write(outputB)
      c.write(outputC)
      d.write(outputD)
      if isLast {
        a.raise(&peakOfEach.a)
        b.raise(&peakOfEach.b)
        c.raise(&peakOfEach.c)
        d.raise(&peakOfEach.d)
      }
      frame &+= Wide.frames
    }
    first += rows &* groupSinks
  }
  UnsafeMutableRawPointer(peaks).storeBytes(of: peakOfEach.greatest(), as: SIMD4<Int32>.self)
}

/// Mixes rows into a group of four sinks while all gains go the same way from the block's start to its end.
///
/// The way goes through the sums instead of the gains: with s the sum by the old gains and e the sum by the new ones, frame i is
/// s + (e - s) ways[i]. This needs two sums, but no gain for each sample.
/// - Parameters:
///   - old: gains of the last frame before the block, four for each row.
///   - new: gains of the block's last frame, four for each row.
///   - ways: the part of the way from the old gains to the new ones, for each frame, `blockFrames` of them; 1 at the block's last frame.
///   Others as in `mixStill`.
@inline(never) @_noLocks
public func mixMoving(
  _ runs: UnsafePointer<Int32>, count: Int, packed: UnsafePointer<Float>, from old: UnsafePointer<Float>,
  to new: UnsafePointer<Float>, ways: UnsafePointer<Float>, frames: Int,
  into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
) {
  var peakOfEach = Peaks()
  var pair = 0
  while pair < groupSinks {
    let (outputA, outputB) = (outputs[pair], outputs[pair &+ 1])
    var (peakA, peakB) = (Words(repeating: 0), Words(repeating: 0))
    var (firstOld, firstNew) = (old + pair, new + pair)
    for index in 0..<count {
      let rows = Int(runs[2 &* index &+ 1])
      var frame = 0
      while frame < frames {
        var input = packed + (Int(runs[2 &* index]) &+ frame)
        var (startA, endA) = (Tile.silence(), Tile.silence())
        var (startB, endB) = (Tile.silence(), Tile.silence())
        var (start, end) = (firstOld, firstNew)
        for _ in 0..<rows {
          let x = Tile.read(input)
          startA = startA.adding(x, start[0])
          startB = startB.adding(x, start[1])
          endA = endA.adding(x, end[0])
          endB = endB.adding(x, end[1])
          input += blockFrames
          start += groupSinks
          end += groupSinks
        }
        let way = Tile.read(ways + frame)
        var a = between(startA, endA, way)
        var b = between(startB, endB, way)
        if index > 0 {
          a = sum(a, Tile.read(outputA + frame))
          b = sum(b, Tile.read(outputB + frame))
        }
        a.write(outputA + frame)
        b.write(outputB + frame)
        if index &+ 1 == count {
          a.raise(&peakA)
          b.raise(&peakB)
        }
        frame &+= tileFrames
      }
      firstOld += rows &* groupSinks
      firstNew += rows &* groupSinks
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

/// The operations of the loops on samples in registers.
extension Tile {
  static var frames: Int { @inline(always) @_noLocks get { tileFrames } }
  @inline(always) @_noLocks static func silence() -> Self { Self(repeating: 0) }
  @inline(always) @_noLocks static func read(_ place: UnsafePointer<Float>) -> Self { tile(place) }
  @inline(always) @_noLocks func write(_ place: UnsafeMutablePointer<Float>) { store(self, place) }
  /// The sum of this tile and `x * gain`, rounded once.
  @inline(always) @_noLocks func adding(_ x: Self, _ gain: Float) -> Self { fused(self, x, gain) }
  /// Raises peaks to the magnitudes of these samples.
  @inline(always) @_noLocks func raise(_ peaks: inout Words) {
    peaks = greater(peaks, greater(magnitudes(lowHalf), magnitudes(highHalf)))
  }
}
