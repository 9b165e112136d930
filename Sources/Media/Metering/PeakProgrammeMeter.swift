import Maths

/// A peak programme meter of type IIa (IEC 60268-10): a quick rise that leaves out the shortest peaks, and a slow fall.
///
/// Two integrators side by side rise at different speeds; their mean stays within the standard's limits for tone bursts of 0.5 to 100 ms.
public struct PeakProgrammeMeter {
  private let (slow, quick, fall): (Float, Float, Float)
  private var (slowLevel, quickLevel) = (Float(0), Float(0))

  /// How quickly the integrators approach a higher sample, in 1/s, fitted to the standard's bursts.
  private static let (slowSpeed, quickSpeed) = (220.0, 850.0)
  /// Between two peaks of a sine the integrators fall; this brings a steady sine back to its peak.
  private static let calibration: Float = 1.0269
  /// dB per second: 24 dB in 2.8 s.
  private static let fallSpeed = 24 / 2.8

  /// - Parameter sampleRate: in Hz.
  public init(sampleRate: Double) {
    slow = Float(1 - exp(-Self.slowSpeed / sampleRate))
    quick = Float(1 - exp(-Self.quickSpeed / sampleRate))
    fall = Float(pow(10, -Self.fallSpeed / sampleRate / 20))
  }

  /// The reading: the amplitude of the steady sine that reads the same. Full scale is 1.
  public var level: Float { (slowLevel + quickLevel) / 2 * Self.calibration }

  /// Adds frames of one channel.
  /// - Parameter stride: from a sample to the next one.
  public mutating func add(_ samples: UnsafePointer<Float>, frames: Int, stride: Int) {
    for frame in 0..<frames {
      let sample = abs(samples[frame * stride])
      slowLevel *= fall
      quickLevel *= fall
      if sample > slowLevel { slowLevel += slow * (sample - slowLevel) }
      if sample > quickLevel { quickLevel += quick * (sample - quickLevel) }
    }
    // Far below all that is shown, numbers become slow to compute with.
    if slowLevel < 1e-15 { slowLevel = 0 }
    if quickLevel < 1e-15 { quickLevel = 0 }
  }
}
