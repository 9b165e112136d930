/// As many samples as one register of any 64-bit processor holds.
typealias Lanes = SIMD4<Float>
/// The bits of `Lanes`; signed, because the first x86-64 processors compare only signed words.
typealias Words = SIMD4<Int32>
/// Two registers of samples, the unit in which the loops mix. Four sinks need eight registers for sums, which leaves enough for inputs
/// and gains.
typealias Tile = SIMD8<Float>
/// The unit in which the loops mix while gains are constant. Wider ones would need more registers than there are.
typealias Wide = Tile

/// Samples per register.
let laneCount = 4
/// Samples per tile.
let tileFrames = 8

/// `sum + x * gain`, rounded once.
@inline(always) @_noLocks
func fused(_ sum: Tile, _ x: Tile, _ gain: Float) -> Tile {
  #if arch(x86_64)
    // Processors before x86-64-v3 have no fused multiply-add. In double precision the product is exact. The sum is rounded to odd: towards
    // zero, with the last bit set if anything was cut off, which its rounding error tells. Rounding such a number to single precision gives
    // the same result as rounding once (Boldo and Melquiond, 2008).
    let product = SIMD8<Double>(x) * Double(gain)
    let addend = SIMD8<Double>(sum)
    let rounded = product + addend
    let part = rounded - product
    let error = (product - (rounded - part)) + (addend - part)
    let bits = unsafeBitCast(rounded, to: SIMD8<Int64>.self)
    let isRounded = SIMD8<Int64>(repeating: 0).replacing(with: 1, where: error .!= 0)
    // Bit 63 of the exclusive or is set if the signs of sum and error differ, that is, if the sum was rounded away from zero.
    let isAway =
      SIMD8<Int64>(
        truncatingIfNeeded: unsafeBitCast(rounded, to: SIMD8<UInt64>.self)
          ^ unsafeBitCast(error, to: SIMD8<UInt64>.self)) &>> 63
    let odd = (bits &+ (isAway & (SIMD8<Int64>(repeating: 0) &- isRounded))) | isRounded
    return Tile(unsafeBitCast(odd, to: SIMD8<Double>.self))
  #else
    return sum.addingProduct(x, gain)
  #endif
}

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
func quarters(_ words: Words) -> SIMD4<Int32> { words }
