// Amplitudes of ramps at the end of a block. All arrays are padded to whole registers; the results for the padding are never used.

/// Adds `frames` to the elapsed frames of ramps and returns the part of their time that has passed: 0 at the start, 1 from the end on.
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
/// The error is less than 1e-7.
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

/// 2^x for x in -120...120: the nearest whole number becomes the exponent, and the rest goes into a series up to the sixth power.
///
/// The error is less than 3e-7 of the value.
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

/// log2(10) / 20, the factor from dB to powers of two.
@inline(always) @_noLocks
func powersOfTwo() -> Float { 0.166_096_4 }

/// The level in dB of a fader's position 0...1: the lowest of four straight lines (docs/develop/law/osc.md#4-levels).
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

/// The progress of a raised cosine when the part `way` of its time has passed, both 0 to 1.
@inline(never) @_noLocks
public func easedWay(_ way: Float) -> Float { raisedCosine(Lanes(repeating: way))[0] }

/// Computes ramps in amplitude that have all made the same progress.
/// - Parameters:
///   - way: the progress, 0 to 1.
///   - start: start of each ramp, in the quantity in which the curve is linear.
///   - span: difference from the start to the end of each ramp, in the same quantity.
///   - values: the resulting amplitudes.
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

/// Does the same as `setAmplitudes` with `start` and `span` in dB.
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

/// Does the same as `setAmplitudes` with `start` and `span` as fader positions, 0 to 1.
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

/// The amplitude of a power: its square root, as the power times the inverse root. Half of the negated exponent is a first guess of that,
/// and three steps of Newton's method follow.
///
/// The error is less than 1e-6 of the value; powers below 0, which rounding may cause, count as 0.
@inline(always) @_noLocks
func amplitude(power: Lanes) -> Lanes {
  let square = power.replacing(with: 0, where: power .< 0)
  let half = square * 0.5
  let guess = Words(repeating: 0x5f37_59df) &- (unsafeBitCast(square, to: Words.self) &>> 1)
  var inverse = unsafeBitCast(guess, to: Lanes.self)
  inverse = inverse * (1.5 - half * inverse * inverse)
  inverse = inverse * (1.5 - half * inverse * inverse)
  inverse = inverse * (1.5 - half * inverse * inverse)
  return square * inverse
}

/// Does the same as `setAmplitudes` with `start` and `span` as powers: squares of amplitudes.
@inline(never) @_noLocks
public func setPowers(
  _ count: Int, way: Float, start: UnsafePointer<Float>, span: UnsafePointer<Float>,
  values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    store(amplitude(power: lanes(start, index) + lanes(span, index) * way), values, index)
    index &+= laneCount
  }
}

/// Advances ramps that are linear in amplitude.
/// - Parameters:
///   - elapsed: frames that have passed since each ramp began; `frames` is added.
///   - inverse: 1 / length of each ramp in frames.
///   - start: start of each ramp, in the quantity in which the curve is linear.
///   - span: difference from the start to the end of each ramp, in the same quantity.
///   - values: the resulting amplitudes.
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

/// Advances ramps that are a raised cosine in amplitude; parameters as in `advanceLinear`.
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

/// Advances ramps that are a raised cosine in power; `start` and `span` are powers, other parameters as in `advanceLinear`.
@inline(never) @_noLocks
public func advancePower(
  _ count: Int, frames: Int32, elapsed: UnsafeMutablePointer<Int32>, inverse: UnsafePointer<Float>,
  start: UnsafePointer<Float>, span: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let way = raisedCosine(way(elapsed, inverse, index, frames))
    store(amplitude(power: lanes(start, index) + lanes(span, index) * way), values, index)
    index &+= laneCount
  }
}

/// Advances ramps that are linear in dB; `start` and `span` are in dB, other parameters as in `advanceLinear`.
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

/// Advances ramps that move a fader at constant speed; `start` and `span` are fader positions, 0 to 1, other parameters as in
/// `advanceLinear`.
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

/// Advances ramps that move a fader slowly at both ends; parameters as in `advanceFader`.
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
