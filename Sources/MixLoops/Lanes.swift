/// As many samples as one register of any 64-bit processor holds.
typealias Lanes = SIMD4<Float>
/// The bits of `Lanes`; signed, because the first x86-64 processors compare only signed words.
typealias Words = SIMD4<Int32>
/// Two registers of samples: what is mixed at a time. Eight of them are sums, which leaves room for the rest.
typealias Tile = SIMD8<Float>
/// What is mixed at a time where gains stand still; more sums would not fit the registers.
typealias Wide = Tile

/// Samples per register.
let laneCount = 4
/// Samples per tile.
let tileFrames = 8

/// 1, 2, 3 ...: the place of each sample after the frame before the first.
@inline(always) @_noLocks
func places() -> Tile { Tile(1, 2, 3, 4, 5, 6, 7, 8) }

/// `sum + x * gain`, rounded once.
@inline(always) @_noLocks
func fused(_ sum: Tile, _ x: Tile, _ gain: Float) -> Tile {
  #if arch(x86_64)
    // These processors have no such instruction. In double precision the product is exact, and the sum becomes so by its error,
    // which decides how it is rounded to odd: towards zero, with the last bit set if anything was cut off. Rounding such a
    // number again gives what rounding once would have given (Boldo and Melquiond, 2008).
    let product = SIMD8<Double>(x) * Double(gain)
    let addend = SIMD8<Double>(sum)
    let rounded = product + addend
    let part = rounded - product
    let error = (product - (rounded - part)) + (addend - part)
    let bits = unsafeBitCast(rounded, to: SIMD8<Int64>.self)
    let isRounded = SIMD8<Int64>(repeating: 0).replacing(with: 1, where: error .!= 0)
    // Bit 63 of the exclusive or is set where the error's sign is the other one: where the sum was rounded away from zero.
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
func quarters(_ words: Words) -> SIMD4<Int32> { words }
