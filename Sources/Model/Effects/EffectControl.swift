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

  /// Where a value stands on a fader, 0 to 1.
  public func share(of value: Float) -> Float {
    let share =
      ratioStart.map { value > $0 ? log10(Double(value / $0)) / log10(Double(range.upperBound / $0)) : 0 }
      ?? Double((value - range.lowerBound) / (range.upperBound - range.lowerBound))
    return share.isFinite ? min(1, max(0, Float(share))) : 0
  }

  /// The value at a place on a fader, 0 to 1.
  public func value(at share: Float) -> Float {
    guard share > 0, let ratioStart else {
      return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
    return between(ratioStart, range.upperBound, share: share)
  }

  /// From where on a fader goes by equal ratios; nil if it goes by equal steps. A range from 0 has its end of the fader for it.
  private var ratioStart: Float? {
    guard isLogarithmic, range.upperBound > 0, range.lowerBound >= 0 else { return nil }
    return range.lowerBound > 0 ? range.lowerBound : range.upperBound / 1_000_000
  }

  /// The value between two at a share of the way, 0 to 1: by equal ratios if the control is logarithmic.
  public func between(_ first: Float, _ last: Float, share: Float) -> Float {
    guard isLogarithmic, first > 0, last > 0 else { return first + (last - first) * share }
    return first * Float(pow(Double(last / first), Double(share)))
  }
}

// MARK: Texts

extension EffectControl {
  /// A value as people write it: a name of the plugin's, or the number with its unit.
  public func text(of value: Float) -> String {
    if let point = points.first(where: { $0.value == value }) { return point.label }
    if kind == .toggle { return value > 0 ? "on" : "off" }
    let number = kind == .whole ? "\(Int(value))" : Self.text(value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// The range as text, such as `5..1250`, or the choices with their numbers.
  public var rangeText: String {
    kind == .choice
      ? points.map { "\(Self.text($0.value))=\($0.label)" }.joined(separator: " ")
      : "\(Self.text(range.lowerBound))..\(Self.text(range.upperBound))"
  }

  /// A number with four digits that matter, and no point if it is whole.
  private static func text(_ number: Float) -> String {
    guard number.isFinite, abs(number) < 1e7 else { return "\(number)" }
    let factor = pow(10, max(0, 3 - log10(Double(max(abs(number), 1e-6))).rounded(.down)))
    let rounded = (Double(number) * factor).rounded() / factor
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
