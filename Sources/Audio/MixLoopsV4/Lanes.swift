/// As many samples as one AVX-512 register holds.
typealias Lanes = SIMD16<Float>
/// The bits of `Lanes`.
typealias Words = SIMD16<Int32>
/// Two registers of samples, the unit in which the loops mix. Arithmetic works on its halves, because the standard library computes
/// vectors of 32 element by element.
typealias Tile = SIMD32<Float>

/// Samples per register.
let laneCount = 16
/// Samples per tile.
let tileFrames = 32

/// The numbers 1, 2, 3 and so on: the distance of each sample of the first register from the frame before it.
@inline(always) @_noLocks
func places() -> Lanes { Lanes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) }

/// `sum + x * gain`, rounded once.
@inline(always) @_noLocks
func fused(_ sum: Tile, _ x: Tile, _ gain: Float) -> Tile {
  Tile(
    lowHalf: sum.lowHalf.addingProduct(x.lowHalf, gain),
    highHalf: sum.highHalf.addingProduct(x.highHalf, gain))
}

/// The sum of two tiles.
@inline(always) @_noLocks
func sum(_ left: Tile, _ right: Tile) -> Tile {
  Tile(lowHalf: left.lowHalf + right.lowHalf, highHalf: left.highHalf + right.highHalf)
}

/// A straight line from one tile to another.
/// - Parameters:
///   - frame: frames of the line that have passed.
///   - step: 1 / frames of the line.
@inline(always) @_noLocks
func line(_ start: Tile, _ end: Tile, after frame: Int, step: Float) -> Tile {
  let offset = Float(Int32(truncatingIfNeeded: frame))
  let (low, high) = (places() + offset, places() + Float(laneCount) + offset)
  return Tile(
    lowHalf: start.lowHalf + (end.lowHalf - start.lowHalf) * (low * step),
    highHalf: start.highHalf + (end.highHalf - start.highHalf) * (high * step))
}

/// Four words, each the greatest of every fourth word.
@inline(always) @_noLocks
func quarters(_ words: Words) -> SIMD4<Int32> {
  let eight = words.lowHalf.replacing(with: words.highHalf, where: words.highHalf .> words.lowHalf)
  return larger(eight.lowHalf, eight.highHalf)
}

/// Two tiles, the unit in which the loops mix while gains are constant. Sixteen of the 32 registers then are sums, so that no addition
/// waits for the one before.
struct Wide {
  var low: Tile
  var high: Tile

  static var frames: Int { @inline(always) @_noLocks get { 2 &* tileFrames } }
  @inline(always) @_noLocks static func silence() -> Self {
    Self(low: Tile(repeating: 0), high: Tile(repeating: 0))
  }
  @inline(always) @_noLocks static func read(_ place: UnsafePointer<Float>) -> Self {
    Self(low: tile(place), high: tile(place + tileFrames))
  }
  @inline(always) @_noLocks func write(_ place: UnsafeMutablePointer<Float>) {
    store(low, place)
    store(high, place + tileFrames)
  }
  @inline(always) @_noLocks func adding(_ x: Self, _ gain: Float) -> Self {
    Self(low: fused(low, x.low, gain), high: fused(high, x.high, gain))
  }
  @inline(always) @_noLocks func raise(_ peaks: inout Words) {
    low.raise(&peaks)
    high.raise(&peaks)
  }
}
