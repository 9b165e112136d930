/// As many samples as one AVX register holds.
typealias Lanes = SIMD8<Float>
/// The bits of `Lanes`.
typealias Words = SIMD8<Int32>
/// Two registers of samples: what is mixed at a time.
typealias Tile = SIMD16<Float>
/// What is mixed at a time where gains stand still; more sums would not fit the registers.
typealias Wide = Tile

/// Samples per register.
let laneCount = 8
/// Samples per tile.
let tileFrames = 16

/// 1, 2, 3 ...: the place of each sample after the frame before the first.
@inline(always) @_noLocks
func places() -> Tile { Tile(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) }

/// `sum + x * gain`, rounded once.
@inline(always) @_noLocks
func fused(_ sum: Tile, _ x: Tile, _ gain: Float) -> Tile { sum.addingProduct(x, gain) }

/// The sum of two tiles.
@inline(always) @_noLocks
func sum(_ left: Tile, _ right: Tile) -> Tile { left + right }

/// A straight line from one tile to another.
/// - Parameters:
///   - frame: how many frames of the line are over.
///   - step: 1 / frames of the line.
@inline(always) @_noLocks
func line(_ start: Tile, _ end: Tile, after frame: Int, step: Float) -> Tile {
  start + (end - start) * ((places() + Float(Int32(truncatingIfNeeded: frame))) * step)
}

/// The greatest of the first, second, third and fourth of every four.
@inline(always) @_noLocks
func quarters(_ words: Words) -> SIMD4<Int32> { larger(words.lowHalf, words.highHalf) }
