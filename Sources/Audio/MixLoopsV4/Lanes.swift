/// As many samples as one AVX-512 register holds.
typealias Lanes = SIMD16<Float>
/// The bits of `Lanes`.
typealias Words = SIMD16<Int32>
/// Two registers of samples, the unit in which the loops mix. It is a pair and no `SIMD32`, because the standard library computes vectors of 32
/// element by element, and the compiler does not always inline taking their halves.
struct Tile: BitwiseCopyable {
  var lowHalf: Lanes
  var highHalf: Lanes

  @inline(always) @_noLocks
  init(lowHalf: Lanes, highHalf: Lanes) { (self.lowHalf, self.highHalf) = (lowHalf, highHalf) }

  @inline(always) @_noLocks
  init(repeating sample: Float) {
    self.init(lowHalf: Lanes(repeating: sample), highHalf: Lanes(repeating: sample))
  }
}

/// Samples per register.
let laneCount = 16
/// Samples per tile.
let tileFrames = 32

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

/// The part `way` of the way from one tile to another.
@inline(always) @_noLocks
func between(_ start: Tile, _ end: Tile, _ way: Tile) -> Tile {
  Tile(
    lowHalf: start.lowHalf + (end.lowHalf - start.lowHalf) * way.lowHalf,
    highHalf: start.highHalf + (end.highHalf - start.highHalf) * way.highHalf)
}

/// Does the same as `between` with a bow of height `bend` / 4 in the middle of the way.
@inline(always) @_noLocks
func between(_ start: Tile, _ end: Tile, _ way: Tile, bend: Tile) -> Tile {
  let line = between(start, end, way)
  return Tile(
    lowHalf: line.lowHalf + bend.lowHalf * (way.lowHalf * (1 - way.lowHalf)),
    highHalf: line.highHalf + bend.highHalf * (way.highHalf * (1 - way.highHalf)))
}

/// Four words, each the greatest of every fourth word.
@inline(always) @_noLocks
func quarters(_ words: Words) -> SIMD4<Int32> {
  let (low, high) = (words.lowHalf, words.highHalf)
  return larger(larger(low.lowHalf, low.highHalf), larger(high.lowHalf, high.highHalf))
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
