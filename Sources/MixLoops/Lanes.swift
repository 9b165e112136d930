/// As many samples as one register of any 64-bit processor holds.
typealias Lanes = SIMD4<Float>
/// The bits of `Lanes`; signed, because the first x86-64 processors compare only signed words.
typealias Words = SIMD4<Int32>

/// Samples per register.
let laneCount = 4

/// 1, 2, 3 ...: the place of each lane after the frame before the first.
@inline(always) @_noLocks
func places() -> Lanes { Lanes(1, 2, 3, 4) }
