/// As many samples as one AVX register holds.
typealias Lanes = SIMD8<Float>
/// The bits of `Lanes`.
typealias Words = SIMD8<Int32>

/// Samples per register.
let laneCount = 8

/// 1, 2, 3 ...: the place of each lane after the frame before the first.
@inline(always) @_noLocks
func places() -> Lanes { Lanes(1, 2, 3, 4, 5, 6, 7, 8) }
