/// As many samples as one register of any 64-bit processor holds.
typealias Lanes = SIMD4<Float>
/// The bits of `Lanes`; signed, because the first x86-64 processors compare only signed words.
typealias Words = SIMD4<Int32>
/// Two registers of samples: what is mixed at a time. Eight of them are sums, which leaves room for the rest.
typealias Tile = SIMD8<Float>

/// Samples per register.
let laneCount = 4
/// Samples per tile.
let tileFrames = 8

/// 1, 2, 3 ...: the place of each sample after the frame before the first.
@inline(always) @_noLocks
func places() -> Tile { Tile(1, 2, 3, 4, 5, 6, 7, 8) }
