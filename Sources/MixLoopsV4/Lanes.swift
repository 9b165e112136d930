/// As many samples as one AVX-512 register holds.
typealias Lanes = SIMD16<Float>
/// The bits of `Lanes`.
typealias Words = SIMD16<Int32>
/// Two registers of samples: what is mixed at a time. The library computes with so many one by one, so halves are taken.
typealias Tile = SIMD32<Float>

/// Samples per register.
let laneCount = 16
/// Samples per tile.
let tileFrames = 32

/// 1, 2, 3 ...: the place of each sample of the first register after the frame before the first.
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
///   - frame: how many frames of the line are over.
///   - step: 1 / frames of the line.
@inline(always) @_noLocks
func line(_ start: Tile, _ end: Tile, after frame: Int, step: Float) -> Tile {
  let offset = Float(Int32(truncatingIfNeeded: frame))
  let (low, high) = (places() + offset, places() + Float(laneCount) + offset)
  return Tile(
    lowHalf: start.lowHalf + (end.lowHalf - start.lowHalf) * (low * step),
    highHalf: start.highHalf + (end.highHalf - start.highHalf) * (high * step))
}

/// The greatest of the first, second, third and fourth of every four.
@inline(always) @_noLocks
func quarters(_ words: Words) -> SIMD4<Int32> {
  let eight = words.lowHalf.replacing(with: words.highHalf, where: words.highHalf .> words.lowHalf)
  return larger(eight.lowHalf, eight.highHalf)
}

/// Two tiles side by side, what is mixed at a time where gains stand still: sixteen of 32 registers are sums, so that no product
/// waits for the sum before it.
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
