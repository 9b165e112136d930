import Glibc

/// A level in dB; -90 and below is off, exact silence, and reads -90.
public struct Decibels: Hashable, Sendable, Comparable {
  /// dB, at least -90.
  public let value: Double

  public init(_ value: Double) { self.value = max(value, Self.floor) }

  /// The level that is exact silence.
  public static let floor = -90.0
  public static let off = Decibels(floor)
  public static let unity = Decibels(0)

  public var isOff: Bool { value <= Self.floor }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// Linear amplitude: 0 when off, exactly 1 at 0 dB.
  public var amplitude: Float { isOff ? 0 : Float(pow(10, value / 20)) }

  /// The level of a linear amplitude.
  public init(amplitude: Double) { self.init(amplitude > 0 ? 20 * log10(amplitude) : Self.floor) }

  /// Fader position 0...1 of this level; 0.75 is 0 dB, 1 is +10 dB (osc contract, section 1: the fader law).
  public var fader: Double {
    switch value {
    case ...Self.floor: 0
    case ..<(-60): (value + 90) / 480
    case ..<(-30): (value + 70) / 160
    case ..<(-10): (value + 50) / 80
    default: (value + 30) / 40
    }
  }

  /// The level of a fader position 0...1.
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
  /// dB of a linear amplitude above 0 without a floor, for meters.
  public static func exact(amplitude: Double) -> Double { 20 * log10(amplitude) }
}
