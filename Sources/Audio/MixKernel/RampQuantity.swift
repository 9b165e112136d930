/// Converts amplitudes into the quantities in which ramps are linear: dB, fader positions and powers. It needs no mathematics library, because
/// the audio thread may not call one.
package enum RampQuantity {
  /// The quantity in which ramps of a curve are linear, or a raised cosine: amplitude, dB, fader position or power.
  ///
  /// An amplitude of -90 dB or less counts as -90 dB, as does 0.
  @_noLocks
  package static func of(_ amplitude: Float, _ curve: Curve) -> Float {
    switch curve {
    case .raisedCosine, .linear: amplitude
    case .decibels: decibels(amplitude)
    case .fader, .sCurve: position(decibels(amplitude))
    case .equalPower: amplitude * amplitude
    }
  }

  /// The level of an amplitude in dB, at least -90. The error is less than 1e-5 dB.
  @_noLocks
  package static func decibels(_ amplitude: Float) -> Float {
    let level = 6.020_599_9 * logarithm(amplitude)
    return level > -90 ? level : -90
  }

  /// The fader position of a level in dB, by the fader law (docs/develop/law/osc.md#4-levels).
  @_noLocks
  package static func position(_ level: Float) -> Float {
    if level >= -10 { return (level + 30) / 40 }
    if level >= -30 { return (level + 50) / 80 }
    if level >= -60 { return (level + 70) / 160 }
    return (level + 90) / 480
  }

  /// The base-2 logarithm of an amplitude; -126 for 0 and below.
  ///
  /// The exponent of the floating-point number is added to log2 of the rest m, which is between 1/sqrt(2) and sqrt(2) and comes from the
  /// series ln m = 2 (s + s^3/3 + s^5/5 + s^7/7) with s = (m - 1) / (m + 1).
  @_noLocks
  package static func logarithm(_ amplitude: Float) -> Float {
    guard amplitude > Float.leastNormalMagnitude else { return -126 }
    let bits = amplitude.bitPattern
    var exponent = Int32(truncatingIfNeeded: bits >> 23) &- 127
    var rest = Float(bitPattern: (bits & 0x7f_ffff) | 0x3f80_0000)
    if rest > 1.414_213_5 {
      rest /= 2
      exponent &+= 1
    }
    let s = (rest - 1) / (rest + 1)
    let square = s * s
    let series = ((square / 7 + 0.2) * square + 0.333_333_33) * square + 1
    return Float(exponent) + 2.885_39 * s * series
  }
}
