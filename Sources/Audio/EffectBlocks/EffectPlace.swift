/// An effect of a chain, by its place.
public struct EffectPlace: Equatable, BitwiseCopyable, Sendable {
  /// Number of the chain's place in the shared memory, from 0.
  public var chain: Int
  /// Number of the effect in its chain, from 0.
  public var effect: Int

  @_noLocks
  public init(chain: Int, effect: Int) { (self.chain, self.effect) = (chain, effect) }

  /// The place as one word that is not 0.
  @_noLocks
  func word() -> Int { 1 &+ chain &* EffectLimits.effects &+ effect }

  /// Reads such a word; nil if it means no place.
  @_noLocks
  init?(word: Int) {
    guard word > 0, word <= EffectLimits.chains &* EffectLimits.effects else { return nil }
    self.init(
      chain: (word &- 1) / EffectLimits.effects, effect: (word &- 1) % EffectLimits.effects)
  }
}

/// What an effect did that silences its chain until the effect is loaded again.
public enum EffectFault: Int, Sendable {
  /// It made a sample that is no finite number.
  case notFinite = 1
  /// Its latency grew beyond `EffectLimits.latency`.
  case tooLate = 2
}

/// How the program's sound thread sleeps.
enum EffectSleep: UInt32 {
  case awake = 0
  /// Until the bell rings.
  case untilRing = 1
  /// Until the time at which a period is expected to have been asked for: it need not be woken for that.
  case untilTime = 2
}

/// A thread of the effects program that runs plugins.
public enum EffectThread: Int, Sendable {
  /// Runs the sound through the plugins.
  case sound
  /// Loads plugins.
  case loader
  /// Does the work that plugins put off.
  case worker
}
