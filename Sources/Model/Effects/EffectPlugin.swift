/// What is known of an installed plugin without loading its controls.
public struct EffectPlugin: Hashable, Sendable {
  public var uri: String
  public var name: String
  /// The plugin's kind in the words of LV2, such as `Compressor`.
  public var kind: String
  public var inputs: Int
  public var outputs: Int
  /// Inputs for another sound.
  public var sideInputs: Int
  /// Why the plugin cannot be used, as a sentence without its point; nil if it can.
  public var refusal: String?

  public init(
    uri: String, name: String, kind: String, inputs: Int, outputs: Int, sideInputs: Int, refusal: String?
  ) {
    (self.uri, self.name, self.kind) = (uri, name, kind)
    (self.inputs, self.outputs, self.sideInputs, self.refusal) = (inputs, outputs, sideInputs, refusal)
  }
}

/// All plugins that are installed.
public struct EffectList: Equatable, Sendable {
  /// Sorted by name.
  public var plugins: [EffectPlugin]
  /// What is wrong with bundles on this machine, one sentence each.
  public var problems: [String]

  public init(plugins: [EffectPlugin], problems: [String]) {
    (self.plugins, self.problems) = (plugins, problems)
  }
}

/// A plugin with its controls.
public struct EffectDescription: Hashable, Sendable {
  public var plugin: EffectPlugin
  public var controls: [EffectControl]
  /// What the plugin shows.
  public var meters: [EffectControl]
  /// The names of its presets.
  public var presets: [String]

  public init(
    plugin: EffectPlugin, controls: [EffectControl], meters: [EffectControl], presets: [String]
  ) {
    (self.plugin, self.controls, self.meters, self.presets) = (plugin, controls, meters, presets)
  }

  /// That a value is not set as asked, as a sentence without its point; nil if it is.
  func note(on symbol: String, _ value: Float) -> String? {
    guard let control = controls.first(where: { $0.symbol == symbol }) else {
      return "\(plugin.name) has no control \(symbol)"
    }
    let accepted = control.accepted(value)
    guard accepted != value else { return nil }
    let reason =
      control.kind == .continuous
      ? "it goes from \(control.range.lowerBound) to \(control.range.upperBound)"
      : "it takes no other value near"
    return "\(symbol) of \(plugin.name) is \(accepted) and not \(value): \(reason)"
  }
}

/// What is known of some plugins that were asked for.
public struct EffectDescriptions: Equatable, Sendable {
  public var found: [EffectDescription]
  /// The URIs that no installed plugin has.
  public var missing: [String]

  public init(found: [EffectDescription], missing: [String]) { (self.found, self.missing) = (found, missing) }
}
