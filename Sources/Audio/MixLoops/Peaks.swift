/// The greatest magnitudes of four sinks so far, for each lane of the registers.
struct Peaks {
  var a = Words(repeating: 0)
  var b = Words(repeating: 0)
  var c = Words(repeating: 0)
  var d = Words(repeating: 0)

  /// Takes in the peak of the next sink; the peaks of the others move one place down.
  @inline(always) @_noLocks
  mutating func append(_ peak: Words) { (a, b, c, d) = (b, c, d, peak) }

  /// The greatest magnitude of each sink.
  @inline(always) @_noLocks
  func greatest() -> SIMD4<Int32> {
    let (a, b, c, d) = (quarters(a), quarters(b), quarters(c), quarters(d))
    // First in pairs, then all four: each sink ends up in a lane of its own.
    let ab = larger(SIMD4(a[0], a[1], b[0], b[1]), SIMD4(a[2], a[3], b[2], b[3]))
    let cd = larger(SIMD4(c[0], c[1], d[0], d[1]), SIMD4(c[2], c[3], d[2], d[3]))
    return larger(SIMD4(ab[0], ab[2], cd[0], cd[2]), SIMD4(ab[1], ab[3], cd[1], cd[3]))
  }
}

/// The greatest of all words.
@inline(always) @_noLocks
func greatest(_ words: Words) -> Int32 {
  let four = quarters(words)
  let two = larger(four, SIMD4(four[2], four[3], four[0], four[1]))
  return two[0] > two[1] ? two[0] : two[1]
}

/// The greater of each pair of four words, which are not negative.
///
/// It subtracts instead of comparing: where vectors are put together from lanes, the compiler splits a comparison into lanes, and the code of
/// `Peaks.greatest` was four times as long.
@inline(always) @_noLocks
func larger(_ left: SIMD4<Int32>, _ right: SIMD4<Int32>) -> SIMD4<Int32> {
  let excess = left &- right
  return left &- (excess & (excess &>> 31))
}
