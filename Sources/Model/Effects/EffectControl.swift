import Maths

/// A control of a plugin, or a value that the plugin shows.
public struct EffectControl: Hashable, Sendable {
  /// How its values are chosen.
  public enum Kind: String, Hashable, Sendable {
    case continuous
    /// Whole numbers.
    case whole
    /// 0 or 1.
    case toggle
    /// One of `points`.
    case choice
  }

  /// A value with a name.
  public struct Point: Hashable, Sendable {
    public var value: Float
    public var label: String

    public init(_ value: Float, _ label: String) { (self.value, self.label) = (value, label) }
  }

  /// Its number among the plugin's ports.
  public var port: Int
  /// Its name in presets and addresses.
  public var symbol: String
  /// Its name for people.
  public var name: String
  public var range: ClosedRange<Float>
  public var standard: Float
  /// As people write it, such as `dB`; empty if the plugin names none.
  public var unit: String
  public var kind: Kind
  /// Whether equal steps for the hand are equal ratios.
  public var isLogarithmic: Bool
  public var points: [Point]

  public init(
    port: Int, symbol: String, name: String, range: ClosedRange<Float>, standard: Float, unit: String = "",
    kind: Kind = .continuous, isLogarithmic: Bool = false, points: [Point] = []
  ) {
    (self.port, self.symbol, self.name, self.range) = (port, symbol, name, range)
    (self.standard, self.unit, self.kind) = (standard, unit, kind)
    (self.isLogarithmic, self.points) = (isLogarithmic, points)
  }

  /// The value that the control takes for a wanted one: within the range, and whole or one of the choices if the control has only these.
  public func accepted(_ value: Float) -> Float {
    guard value.isFinite else { return standard }
    let value = min(range.upperBound, max(range.lowerBound, value))
    switch kind {
    case .continuous: return value
    case .whole: return value.rounded()
    case .toggle: return value > 0 ? 1 : 0
    case .choice:
      return points.map(\.value).min { abs($0 - value) < abs($1 - value) } ?? value.rounded()
    }
  }

  /// The value between two at a share of the way, 0 to 1: by equal ratios if the control is logarithmic.
  public func between(_ first: Float, _ last: Float, share: Float) -> Float {
    guard isLogarithmic, first > 0, last > 0 else { return first + (last - first) * share }
    return first * Float(pow(Double(last / first), Double(share)))
  }
}
