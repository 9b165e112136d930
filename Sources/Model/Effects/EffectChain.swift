/// A chain of effects that a sound runs through, one after the other.
public struct EffectChain: Hashable, Sendable {
  /// Channels of the sound, 1 to 8.
  public var channels: Int
  /// Channels of another sound that effects with a side chain listen to, 0 to 2.
  public var sideChannels: Int
  /// At most 8.
  public var effects: [Effect]

  public init(channels: Int, sideChannels: Int = 0, effects: [Effect]) {
    (self.channels, self.sideChannels, self.effects) = (channels, sideChannels, effects)
  }

  /// Whether a change from this chain to another one is nothing but values and switches, so that the plugins stay.
  public func differsInValuesAlone(from other: EffectChain) -> Bool {
    channels == other.channels && sideChannels == other.sideChannels
      && effects.count == other.effects.count
      && zip(effects, other.effects).allSatisfy {
        $0.plugin == $1.plugin && $0.preset == $1.preset && ($0.sideChain == nil) == ($1.sideChain == nil)
      }
  }
}

/// A plugin in a chain, with its settings.
public struct Effect: Hashable, Sendable {
  /// The plugin's URI.
  public var plugin: String
  /// The name or the URI of a preset of the plugin, which is loaded before the values.
  public var preset: String?
  /// Values of controls by their symbols. Other controls have the preset's value or the plugin's default.
  public var values: [String: Float]
  /// Whether the sound goes through the plugin; otherwise it passes by, with the same latency.
  public var isOn: Bool
  /// The other sound that its side chain hears, as presets write it; nil for its own.
  public var sideChain: String?
  /// How values are reached that a fade goes to, by the symbols of the controls; also fades that have ended.
  public var fades: [String: EffectFade] = [:]

  public init(
    _ plugin: String, preset: String? = nil, values: [String: Float] = [:], isOn: Bool = true,
    sideChain: String? = nil
  ) {
    (self.plugin, self.preset, self.values) = (plugin, preset, values)
    (self.isOn, self.sideChain) = (isOn, sideChain)
  }
}

/// A fade of a control, which ends at the control's value.
public struct EffectFade: Hashable, Sendable {
  /// The value at the beginning.
  public var from: Float
  /// When it begins, in seconds of the router's time.
  public var start: Double
  public var seconds: Double

  public init(from: Float, start: Double, seconds: Double) {
    (self.from, self.start, self.seconds) = (from, start, seconds)
  }
}
