/// As many samples as one AVX register holds.
typealias Lanes = SIMD8<Float>
/// The bits of `Lanes`.
typealias Words = SIMD8<Int32>
/// Two registers of samples, the unit in which the loops mix.
typealias Tile = SIMD16<Float>
/// The unit in which the loops mix while gains are constant. Wider ones would need more registers than there are.
typealias Wide = Tile

/// Samples per register.
let laneCount = 8
/// Samples per tile.
let tileFrames = 16

/// The numbers 1, 2, 3 and so on: the distance of each sample of a tile from the frame before the tile.
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
///   - frame: frames of the line that have passed.
///   - step: 1 / frames of the line.
@inline(always) @_noLocks
func line(_ start: Tile, _ end: Tile, after frame: Int, step: Float) -> Tile {
  start + (end - start) * ((places() + Float(Int32(truncatingIfNeeded: frame))) * step)
}

/// Four words, each the greatest of every fourth word.
@inline(always) @_noLocks
func quarters(_ words: Words) -> SIMD4<Int32> { larger(words.lowHalf, words.highHalf) }
