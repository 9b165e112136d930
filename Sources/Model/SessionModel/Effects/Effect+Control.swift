public import Effects

extension Effect {
  /// A control as it is now, and as it is without a value of the chain's own: its short name's, the preset's or the plugin's.
  ///
  /// - Returns: nil if neither the chain nor the plugin has a value.
  public func control(_ symbol: String, _ facts: EffectFacts) -> Control? {
    let standard = EffectName.named(plugin)?.values[symbol] ?? facts.base[symbol]
    guard let wanted = values[symbol] ?? standard else { return nil }
    // A text of effects may ask for more than the plugin takes.
    let value = facts.control(symbol)?.accepted(wanted) ?? wanted
    var control = Control(Double(value))
    if let fade = fades[symbol] {
      control = Control(Double(fade.from))
      control.fade(
        to: Double(value), over: fade.seconds, curve: .linear, at: fade.start, isLevel: false)
    }
    control.stored = Double(standard ?? value)
    return control
  }
}

extension EffectFacts {
  /// What the plugin says of a control; nil if it has none of the symbol, or is not loaded.
  public func control(_ symbol: String) -> EffectControl? { controls.first { $0.symbol == symbol } }
}

extension EffectControl {
  /// The value of a control of this kind at a time. Fades of logarithmic controls go by equal ratios, as the plugin's do.
  public func value(of control: Control, at time: Double) -> Double {
    guard isLogarithmic, let fade = control.fade, time < fade.end else {
      return control.value(at: time, isLevel: false)
    }
    let share = Float(max(0, time - fade.start) / fade.seconds)
    return Double(between(Float(fade.from), Float(control.target), share: share))
  }
}
