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

/// `sum + x * gain`, rounded once.
@inline(always) @_noLocks
func fused(_ sum: Tile, _ x: Tile, _ gain: Float) -> Tile { sum.addingProduct(x, gain) }

/// The sum of two tiles.
@inline(always) @_noLocks
func sum(_ left: Tile, _ right: Tile) -> Tile { left + right }

/// The part `way` of the way from one tile to another.
@inline(always) @_noLocks
func between(_ start: Tile, _ end: Tile, _ way: Tile) -> Tile { start + (end - start) * way }

/// Does the same as `between` with a bow of height `bend` / 4 in the middle of the way.
@inline(always) @_noLocks
func between(_ start: Tile, _ end: Tile, _ way: Tile, bend: Tile) -> Tile {
  start + (end - start) * way + bend * (way * (1 - way))
}

/// Four words, each the greatest of every fourth word.
@inline(always) @_noLocks
func quarters(_ words: Words) -> SIMD4<Int32> { larger(words.lowHalf, words.highHalf) }
