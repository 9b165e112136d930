/// As many samples as one AVX register holds.
typealias Lanes = SIMD8<Float>
/// The bits of `Lanes`.
typealias Words = SIMD8<Int32>
/// Two registers of samples: what is mixed at a time.
typealias Tile = SIMD16<Float>

/// Samples per register.
let laneCount = 8
/// Samples per tile.
let tileFrames = 16

/// 1, 2, 3 ...: the place of each sample after the frame before the first.
@inline(always) @_noLocks
func places() -> Tile { Tile(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) }
