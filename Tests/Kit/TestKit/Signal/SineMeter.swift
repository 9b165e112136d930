import Foundation

/// Measures the level of one sine in a recording at equal steps, each under a Hann window of two steps.
public struct SineMeter: Sendable {
  private let step: Int
  /// The window times cosine and sine, scaled so that the sum over the samples is the amplitude.
  private let table: [(cosine: Double, sine: Double)]

  /// - Parameters:
  ///   - frequency: Hz, of a sine that has whole cycles in two steps.
  ///   - rate: frames per second.
  ///   - step: frames from one measurement to the next.
  public init(frequency: Int, rate: Int, step: Int) {
    self.step = step
    let count = 2 * step
    table = (0..<count).map { index in
      // The sum over a sine is half its amplitude times the sum of the window, which is half the window's
      // length.
      let window = (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(count))) * 4 / Double(count)
      let angle = 2 * .pi * Double(frequency) * Double(index) / Double(rate)
      return (window * cos(angle), window * sin(angle))
    }
  }

  /// The amplitude at each step.
  public func amplitudes(in samples: [Float]) -> [Double] {
    stride(from: 0, through: samples.count - table.count, by: step).map { start in
      var (real, imaginary) = (0.0, 0.0)
      for (index, weight) in table.enumerated() {
        real += weight.cosine * Double(samples[start + index])
        imaginary += weight.sine * Double(samples[start + index])
      }
      return (real * real + imaginary * imaginary).squareRoot()
    }
  }
}
