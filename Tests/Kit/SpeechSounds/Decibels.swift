import Glibc

/// Levels of sounds in tests.
public enum Decibels {
  public static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The level of samples in dBFS: their power, as that of a square wave at full scale is 0.
  public static func level(_ samples: some Collection<Float>) -> Double {
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(max(1e-20, sum / Double(max(1, samples.count))))
  }
}
