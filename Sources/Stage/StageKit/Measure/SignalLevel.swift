import Maths

/// The levels of some samples of one channel in dBFS. The peak of a sine at full scale is 0 dBFS.
public struct SignalLevel: Hashable, Sendable {
  /// The level in dBFS that stands for silence.
  public static let silence = -200.0

  /// Level of the largest absolute sample.
  public var peak: Double
  /// Root mean square level; for a sine it is 3.01 dB below the peak.
  public var rms: Double

  public init(_ samples: [Float]) {
    var (largest, sum) = (Float(0), 0.0)
    for sample in samples {
      largest = max(largest, abs(sample))
      sum += Double(sample) * Double(sample)
    }
    peak = Self.decibels(Double(largest))
    rms = Self.decibels(samples.isEmpty ? 0 : (sum / Double(samples.count)).squareRoot())
  }

  /// The level of one frequency in dBFS: the amplitude of its sine, by a discrete Fourier sum with a Hann window.
  ///
  /// The window reduces other tones by more than 60 dB if their numbers of cycles in the samples differ by at least ten.
  ///
  /// - Parameters:
  ///   - frequency: Hz.
  ///   - sampleRate: Hz.
  public static func tone(_ samples: [Float], frequency: Double, sampleRate: Int) -> Double {
    guard samples.count > 1, samples.contains(where: { $0 != 0 }) else { return silence }
    let angle = 2 * Double.pi * frequency / Double(sampleRate)
    let windowAngle = 2 * Double.pi / Double(samples.count)
    var (real, imaginary, weight) = (0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let window = 0.5 - 0.5 * cos(windowAngle * Double(index))
      real += window * Double(sample) * cos(angle * Double(index))
      imaginary += window * Double(sample) * sin(angle * Double(index))
      weight += window
    }
    return decibels(2 * (real * real + imaginary * imaginary).squareRoot() / weight)
  }

  /// The level of an amplitude in dBFS, at least `silence`.
  public static func decibels(_ amplitude: Double) -> Double {
    amplitude > 0 ? max(silence, 20 * log10(amplitude)) : silence
  }
}
