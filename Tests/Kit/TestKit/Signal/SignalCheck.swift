import Foundation

/// Checks of the recorded samples of one channel.
public enum SignalCheck {
  /// The first index at which two signals differ; nil if they are equal. A shorter one differs at its end.
  public static func firstDifference(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Int?
  {
    var index = 0
    for (a, b) in zip(left, right) {
      if a.bitPattern != b.bitPattern { return index }
      index += 1
    }
    return left.count == right.count ? nil : index
  }

  /// Whether every sample is zero.
  public static func isSilent(_ samples: [Float]) -> Bool { samples.allSatisfy { $0 == 0 } }

  /// The indices at which the stage's ramp signal does not continue by one from the frame before; empty if no
  /// frame is lost.
  public static func breaks(inRamp samples: [Float]) -> [Int] {
    let counts = samples.map { Int($0 * 16_777_216) }
    return counts.indices.dropFirst().filter { counts[$0] != (counts[$0 - 1] + 1) & 0xFF_FFFF }
  }

  /// The rest of a signal after the removal of some tones, 200 Hz to either side: clicks, and other unwanted
  /// sound.
  ///
  /// A Fourier transform removes the tones' bins with a soft edge. The first and last `margin` samples are
  /// faded and carry no meaning.
  public static func residual(
    _ samples: [Float], without tones: [Double], sampleRate: Int, margin: Int = 4_800
  ) -> [Float] {
    var size = 1
    while size < samples.count { size *= 2 }
    var (real, imaginary) = (samples.map(Double.init), [Double](repeating: 0, count: size))
    for index in 0..<min(margin, samples.count / 2) {
      let gain = 0.5 - 0.5 * cos(Double.pi * Double(index) / Double(margin))
      real[index] *= gain
      real[samples.count - 1 - index] *= gain
    }
    real += [Double](repeating: 0, count: size - samples.count)
    FourierTransform.transform(&real, &imaginary, inverse: false)
    for index in 0...(size / 2) {
      let frequency = Double(index) * Double(sampleRate) / Double(size)
      let distance = tones.map { abs($0 - frequency) }.min() ?? .infinity
      let gain = distance <= 100 ? 0 : distance >= 200 ? 1 : 0.5 - 0.5 * cos(.pi * (distance - 100) / 100)
      for bin in Set([index, (size - index) % size]) {
        real[bin] *= gain
        imaginary[bin] *= gain
      }
    }
    FourierTransform.transform(&real, &imaginary, inverse: true)
    return real.prefix(samples.count).map { Float($0) }
  }

  /// The loudest sample of the residual in dBFS and its index, without both ends.
  public static func worstClick(
    _ samples: [Float], besides tones: [Double], sampleRate: Int, margin: Int = 4_800
  ) -> (level: Double, frame: Int) {
    let rest = residual(samples, without: tones, sampleRate: sampleRate, margin: margin)
    var worst = (amplitude: Float(0), frame: 0)
    for index in rest.indices.dropFirst(margin).dropLast(margin) where abs(rest[index]) > worst.amplitude {
      worst = (abs(rest[index]), index)
    }
    return (worst.amplitude > 0 ? 20 * log10(Double(worst.amplitude)) : -200, worst.frame)
  }
}
