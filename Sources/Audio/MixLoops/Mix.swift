// Both loops add the rows in the same order for every width of registers, and Swift never fuses a product with a sum by itself. So every
// build yields the same bits. If a block ends within a tile, the whole tile is computed: the packed rows are `blockFrames` long, and the
// samples after the block's end are finite.
//
// Two registers of samples are multiplied and added as one value, because processors with separate units for products and
// sums are fastest with two of each in turn: 4.9 us instead of 5.5 us for 64 x 64 x 64 on an AMD Zen 4. The compiler keeps
// that order only if it tunes for such a processor, as it does for the newer build.

/// Mixes rows into a group of four sinks with constant gains, and measures the sinks.
/// - Parameters:
///   - starts: the index of each row's first sample in `packed`.
///   - rows: number of rows.
///   - packed: a block of every source, in rows `blockFrames` apart.
///   - gains: four gains for each row, one for each sink.
///   - frames: length of the block, 1 to `blockFrames`.
///   - outputs: the memory for the four sinks; whole `Wide`s are written.
///   - peaks: bit pattern of the greatest magnitude written for each sink.
@inline(never) @_noLocks
public func mixStill(
  _ starts: UnsafePointer<Int32>, rows: Int, packed: UnsafePointer<Float>, gains: UnsafePointer<Float>,
  frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
) {
  var peakOfEach = Peaks()
  var frame = 0
  while frame < frames {
    let input = packed + frame
    var (a, b, c, d) = (Wide.silence(), Wide.silence(), Wide.silence(), Wide.silence())
    var gain = gains
    for row in 0..<rows {
      let x = Wide.read(input + Int(starts[row]))
      a = a.adding(x, gain[0])
      b = b.adding(x, gain[1])
      c = c.adding(x, gain[2])
      d = d.adding(x, gain[3])
      gain += groupSinks
    }
    a.write(outputs[0] + frame)
    b.write(outputs[1] + frame)
    c.write(outputs[2] + frame)
    d.write(outputs[3] + frame)
    a.raise(&peakOfEach.a)
    b.raise(&peakOfEach.b)
    c.raise(&peakOfEach.c)
    d.raise(&peakOfEach.d)
    frame &+= Wide.frames
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
  _ starts: UnsafePointer<Int32>, rows: Int, packed: UnsafePointer<Float>, from old: UnsafePointer<Float>,
  to new: UnsafePointer<Float>, ways: UnsafePointer<Float>, frames: Int,
  into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
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
      var (start, end) = (old + pair, new + pair)
      for row in 0..<rows {
        let x = Tile.read(input + Int(starts[row]))
        startA = startA.adding(x, start[0])
        startB = startB.adding(x, start[1])
        endA = endA.adding(x, end[0])
        endB = endB.adding(x, end[1])
        start += groupSinks
        end += groupSinks
      }
      let way = Tile.read(ways + frame)
      let a = between(startA, endA, way)
      let b = between(startB, endB, way)
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
