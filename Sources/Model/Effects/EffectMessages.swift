/// What the router tells the effects program, a line of JSON each.
public enum EffectOrder: Equatable, Sendable {
  /// Load a chain at a place, instead of the one that is there.
  ///
  /// - Parameters:
  ///   - place: 0 to 63.
  ///   - revision: a new number for each load, which the chain's blocks bear.
  case load(place: Int, revision: Int, EffectChain)
  case unload(place: Int)
}

/// What the effects program tells the router, a line of JSON each.
public enum EffectAnswer: Equatable, Sendable {
  /// The program has started.
  case ready
  /// The chain runs from the next period on.
  case loaded(LoadedChain)
  /// The chain cannot run because of one of its effects, counted from 0; the one that was there before is still there.
  case refused(place: Int, revision: Int, effect: Int, why: String)
  case unloaded(place: Int)
}

/// A chain that runs.
public struct LoadedChain: Equatable, Sendable {
  public var place: Int
  public var revision: Int
  /// Frames by which its plugins delay the sound.
  public var latency: Int
  public var effects: [LoadedEffect]

  public init(place: Int, revision: Int, latency: Int, effects: [LoadedEffect]) {
    (self.place, self.revision, self.latency, self.effects) = (place, revision, latency, effects)
  }
}

/// A plugin that runs in a chain.
public struct LoadedEffect: Equatable, Sendable {
  public var description: EffectDescription
  /// The value that each control has without the chain's own values, by its symbol: the preset's, or the plugin's default.
  public var base: [String: Float]
  /// The number of its first meter in the chain's memory; the others follow. Only the first `meterCount` have room there.
  public var firstMeter: Int
  public var meterCount: Int
  /// What was asked for besides values and is not so, a sentence each without its point.
  public var notes: [String]

  public init(
    description: EffectDescription, base: [String: Float], firstMeter: Int, meterCount: Int, notes: [String]
  ) {
    (self.description, self.base) = (description, base)
    (self.firstMeter, self.meterCount, self.notes) = (firstMeter, meterCount, notes)
  }

  /// What an effect asks for and this plugin does not do, a sentence each without its point. The values may be others than at the load.
  public func notes(on effect: Effect) -> [String] {
    notes + effect.values.sorted { $0.key < $1.key }.compactMap { description.note(on: $0.key, $0.value) }
  }
}
