// Where moving stages are at the end of a block. All arrays are padded to whole registers; what is computed for the
// padding is never used.

/// How far the ramps are after some more frames: 0 at the start, 1 at the end and beyond.
@inline(always) @_noLocks
func way(
  _ elapsed: UnsafeMutablePointer<Int32>, _ inverse: UnsafePointer<Float>, _ index: Int, _ frames: Int32
) -> Lanes {
  let place = UnsafeMutableRawPointer(elapsed + index)
  let now = place.loadUnaligned(as: Words.self) &+ frames
  place.storeBytes(of: now, as: Words.self)
  let way = Lanes(now) * lanes(inverse, index)
  return way.replacing(with: 1, where: way .> 1)
}

/// (1 - cos(pi t)) / 2 for t in 0...1, as 1/2 + sin(pi u) / 2 with u = t - 1/2 by the series of the sine up to u^11.
///
/// It is off by less than 1e-7.
@inline(always) @_noLocks
func raisedCosine(_ way: Lanes) -> Lanes {
  let u = way - 0.5
  let square = u * u
  var sum = Lanes(repeating: -0.003_685_214_5)
  sum = sum * square + 0.041_072_94
  sum = sum * square - 0.299_632_38
  sum = sum * square + 1.275_082_4
  sum = sum * square - 2.583_856_4
  sum = sum * square + 1.570_796_4
  return sum * u + 0.5
}

/// 2^x for x in -120...120, by splitting off the nearest whole number and the series of the rest up to the sixth power.
///
/// It is off by less than 3e-7 of the value.
@inline(always) @_noLocks
func exponential(_ x: Lanes) -> Lanes {
  // Adding 1.5 * 2^23 leaves no room for a fraction: the sum's low bits are the nearest whole number.
  let shifter: Float = 12_582_912
  let shifted = x + shifter
  let rest = x - (shifted - shifter)
  var sum = Lanes(repeating: 0.000_154_035_30)
  sum = sum * rest + 0.001_333_355_8
  sum = sum * rest + 0.009_618_129
  sum = sum * rest + 0.055_504_11
  sum = sum * rest + 0.240_226_51
  sum = sum * rest + 0.693_147_2
  sum = sum * rest + 1
  let exponent = unsafeBitCast(shifted, to: Words.self) &<< 23
  return unsafeBitCast(unsafeBitCast(sum, to: Words.self) &+ exponent, to: Lanes.self)
}

/// log2(10) / 20: from dB to powers of two.
@inline(always) @_noLocks
func powersOfTwo() -> Float { 0.166_096_4 }

/// The level in dB of a fader's position 0...1: the lowest of four straight lines (osc contract, section 1).
@inline(always) @_noLocks
func level(position p: Lanes) -> Lanes {
  let first = p * 480 - 90
  let second = p * 160 - 70
  let third = p * 80 - 50
  let fourth = p * 40 - 30
  let lower = first.replacing(with: second, where: second .< first)
  let upper = third.replacing(with: fourth, where: fourth .< third)
  return lower.replacing(with: upper, where: upper .< lower)
}

/// How far ramps of a raised cosine are that are `way` through their time.
@inline(never) @_noLocks
public func easedWay(_ way: Float) -> Float { raisedCosine(Lanes(repeating: way))[0] }

/// Sets ramps that are all equally far, in amplitude.
/// - Parameters:
///   - way: how far they are, 0...1.
///   - start: where each began, in the quantity that the curve is linear in.
///   - span: from there to its end.
///   - values: the amplitudes.
@inline(never) @_noLocks
public func setAmplitudes(
  _ count: Int, way: Float, start: UnsafePointer<Float>, span: UnsafePointer<Float>,
  values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    store(lanes(start, index) + lanes(span, index) * way, values, index)
    index &+= laneCount
  }
}

/// As `setAmplitudes`, with `start` and `span` in dB.
@inline(never) @_noLocks
public func setDecibels(
  _ count: Int, way: Float, start: UnsafePointer<Float>, span: UnsafePointer<Float>,
  values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let level = lanes(start, index) + lanes(span, index) * way
    store(exponential(level * powersOfTwo()), values, index)
    index &+= laneCount
  }
}

/// As `setAmplitudes`, with `start` and `span` as positions of a fader, 0...1.
@inline(never) @_noLocks
public func setPositions(
  _ count: Int, way: Float, start: UnsafePointer<Float>, span: UnsafePointer<Float>,
  values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let position = lanes(start, index) + lanes(span, index) * way
    store(exponential(level(position: position) * powersOfTwo()), values, index)
    index &+= laneCount
  }
}

/// Advances ramps that are linear in amplitude.
/// - Parameters:
///   - elapsed: frames that each ramp has run; `frames` is added.
///   - inverse: 1 / length of each ramp in frames.
///   - start: where each began, in the quantity that the curve is linear in.
///   - span: from there to its end.
///   - values: the amplitudes after those frames.
@inline(never) @_noLocks
public func advanceLinear(
  _ count: Int, frames: Int32, elapsed: UnsafeMutablePointer<Int32>, inverse: UnsafePointer<Float>,
  start: UnsafePointer<Float>, span: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let way = way(elapsed, inverse, index, frames)
    store(lanes(start, index) + lanes(span, index) * way, values, index)
    index &+= laneCount
  }
}

/// Advances ramps along a raised cosine in amplitude; parameters as in `advanceLinear`.
@inline(never) @_noLocks
public func advanceRaisedCosine(
  _ count: Int, frames: Int32, elapsed: UnsafeMutablePointer<Int32>, inverse: UnsafePointer<Float>,
  start: UnsafePointer<Float>, span: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let way = raisedCosine(way(elapsed, inverse, index, frames))
    store(lanes(start, index) + lanes(span, index) * way, values, index)
    index &+= laneCount
  }
}

/// Advances ramps that are linear in dB; `start` and `span` are in dB, others as in `advanceLinear`.
@inline(never) @_noLocks
public func advanceDecibels(
  _ count: Int, frames: Int32, elapsed: UnsafeMutablePointer<Int32>, inverse: UnsafePointer<Float>,
  start: UnsafePointer<Float>, span: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let way = way(elapsed, inverse, index, frames)
    let level = lanes(start, index) + lanes(span, index) * way
    store(exponential(level * powersOfTwo()), values, index)
    index &+= laneCount
  }
}

/// Advances ramps along the fader's travel; `start` and `span` are positions 0...1, others as in `advanceLinear`.
@inline(never) @_noLocks
public func advanceFader(
  _ count: Int, frames: Int32, elapsed: UnsafeMutablePointer<Int32>, inverse: UnsafePointer<Float>,
  start: UnsafePointer<Float>, span: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let way = way(elapsed, inverse, index, frames)
    let position = lanes(start, index) + lanes(span, index) * way
    store(exponential(level(position: position) * powersOfTwo()), values, index)
    index &+= laneCount
  }
}

/// Advances ramps along the fader's travel, slow at both ends; parameters as in `advanceFader`.
@inline(never) @_noLocks
public func advanceSCurve(
  _ count: Int, frames: Int32, elapsed: UnsafeMutablePointer<Int32>, inverse: UnsafePointer<Float>,
  start: UnsafePointer<Float>, span: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let way = raisedCosine(way(elapsed, inverse, index, frames))
    let position = lanes(start, index) + lanes(span, index) * way
    store(exponential(level(position: position) * powersOfTwo()), values, index)
    index &+= laneCount
  }
}
