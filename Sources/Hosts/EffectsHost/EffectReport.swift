public import EffectBlocks
public import Effects

/// What has happened to effects, for the router.
public enum EffectReport: Equatable, Sendable {
  /// A chain runs from the next period on: its blocks have the revision. `effects` are those that run, each with its number in the chain that is
  /// wanted; faulty ones are left out.
  case loaded(chain: Int, revision: Int, latency: Int, effects: [Int: LoadedEffect])
  /// No plugin of the chain is loaded: it is not wanted any more, or all of its effects are faulty.
  case unloaded(chain: Int)
  /// The plugins of a chain have changed their latency, in frames, while they run.
  case latency(chain: Int, frames: Int)
  /// An effect is left out until it is tried again. The sentence says why, without its point.
  case faulty(EffectPlace, EffectTrouble, why: String)
  /// Chains were late, and no effect of theirs takes most of a period: the machine is too slow.
  case late(chains: [Int])
  /// The program has started; its process number.
  case started(process: Int32)
  /// The program has ended, and starts again after so many seconds. All chains are without sound until they are loaded again.
  case ended(why: String, again: Double)
  /// A line that a plugin has printed.
  case said(String)
}

/// What is wrong with an effect.
public enum EffectTrouble: String, Hashable, Sendable {
  /// It cannot be loaded.
  case refused
  /// Its code ended the program.
  case crashed
  /// It did not return in time.
  case hung
  /// It makes samples that are no finite numbers.
  case notFinite
  /// It takes too long, again and again.
  case slow
  /// It delays the sound by too much.
  case tooLate
}
