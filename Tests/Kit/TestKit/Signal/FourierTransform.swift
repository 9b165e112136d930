import Foundation

/// The fast Fourier transform of Cooley and Tukey, radix 2, in place; for tests only.
enum FourierTransform {
  /// Transforms a signal whose length is a power of two; the inverse is scaled by 1/length.
  static func transform(_ real: inout [Double], _ imaginary: inout [Double], inverse: Bool) {
    let size = real.count
    precondition(size > 0 && size & (size - 1) == 0 && imaginary.count == size)
    reorder(&real, &imaginary)
    var half = 1
    while half < size {
      let angle = (inverse ? Double.pi : -Double.pi) / Double(half)
      for offset in 0..<half {
        let (cosine, sine) = (cos(angle * Double(offset)), sin(angle * Double(offset)))
        for low in stride(from: offset, to: size, by: 2 * half) {
          let high = low + half
          let turnedReal = real[high] * cosine - imaginary[high] * sine
          let turnedImaginary = real[high] * sine + imaginary[high] * cosine
          (real[high], imaginary[high]) = (real[low] - turnedReal, imaginary[low] - turnedImaginary)
          (real[low], imaginary[low]) = (real[low] + turnedReal, imaginary[low] + turnedImaginary)
        }
      }
      half *= 2
    }
    guard inverse else { return }
    for index in 0..<size {
      real[index] /= Double(size)
      imaginary[index] /= Double(size)
    }
  }

  /// Moves every value to the index with the reversed bits of its own index.
  private static func reorder(_ real: inout [Double], _ imaginary: inout [Double]) {
    var target = 0
    for source in 1..<max(1, real.count) {
      var bit = real.count >> 1
      while target & bit != 0 {
        target ^= bit
        bit >>= 1
      }
      target |= bit
      if source < target {
        real.swapAt(source, target)
        imaginary.swapAt(source, target)
      }
    }
  }
}
