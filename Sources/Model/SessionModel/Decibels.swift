import Maths
import Numbers

/// A level in dB. Every level of -90 or less is off, which is exact silence, and reads -90.
public struct Decibels: Hashable, Sendable, Comparable {
  /// dB, at least -90.
  public let value: Double

  public init(_ value: Double) { self.value = max(value, Self.floor) }

  /// The level in dB at and below which a level is off.
  public static let floor = -90.0
  /// The highest level that anything can be set to.
  public static let highest = 10.0
  public static let off = Decibels(floor)
  public static let unity = Decibels(0)

  public var isOff: Bool { value <= Self.floor }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// The linear amplitude: 0 when off, exactly 1 at 0 dB.
  public var amplitude: Float { isOff ? 0 : Float(pow(10, value / 20)) }

  /// The level of a linear amplitude.
  public init(amplitude: Double) { self.init(amplitude > 0 ? 20 * log10(amplitude) : Self.floor) }

  /// The fader position of this level, 0 to 1; 0.75 is 0 dB, 1 is +10 dB (docs/develop/law/osc.md#4-levels).
  public var fader: Double {
    switch value {
    case ...Self.floor: 0
    case ..<(-60): (value + 90) / 480
    case ..<(-30): (value + 70) / 160
    case ..<(-10): (value + 50) / 80
    default: (value + 30) / 40
    }
  }

  /// The level of a fader position, 0 to 1.
  public init(fader position: Double) {
    switch position {
    case ...0: self.init(Self.floor)
    case ..<0.0625: self.init(480 * position - 90)
    case ..<0.25: self.init(160 * position - 70)
    case ..<0.5: self.init(80 * position - 50)
    default: self.init(40 * position - 30)
    }
  }
}

extension Decibels {
  /// A level in dB for a sentence, with one decimal: `-14.0 dB`.
  public static func text(_ level: Double) -> String { "\(level.text(.exactly(1))) dB" }

  /// The level in dB of a linear amplitude above 0, for meters; it may be below -90.
  public static func exact(amplitude: Double) -> Double { 20 * log10(amplitude) }
}
