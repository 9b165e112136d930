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

/// The greatest of all, by halves: each step is one exchange of lanes, as the compiler sees only if they are written out.
@inline(always) @_noLocks
func greatest(_ words: Words) -> Int32 {
  let a = greater(
    words,
    Words(
      words[8], words[9], words[10], words[11], words[12], words[13], words[14], words[15], words[0],
      words[1], words[2], words[3], words[4], words[5], words[6], words[7]))
  let b = greater(
    a,
    Words(
      a[4], a[5], a[6], a[7], a[0], a[1], a[2], a[3], a[12], a[13], a[14], a[15], a[8], a[9], a[10], a[11]))
  let c = greater(
    b,
    Words(
      b[2], b[3], b[0], b[1], b[6], b[7], b[4], b[5], b[10], b[11], b[8], b[9], b[14], b[15], b[12], b[13]))
  let d = greater(
    c,
    Words(
      c[1], c[0], c[3], c[2], c[5], c[4], c[7], c[6], c[9], c[8], c[11], c[10], c[13], c[12], c[15], c[14]))
  return d[0]
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
