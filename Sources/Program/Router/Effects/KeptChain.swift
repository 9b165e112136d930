import EffectKernel
import Effects
import EffectsHost
import SessionModel

/// The chain of effects of one stream, as the mix has it.
struct KeptChain {
  /// As the state wants it, with URIs.
  var wanted: EffectChain
  let store: EffectNodeStore
  /// The engine frame from which on its input is whole; nil while it is not in a mix that was published.
  var begin: UInt64?
  /// Whether it is heard. Until then the stream is heard without it.
  var isOpen = false
  /// Whether the effects program has loaded it, or has failed, so that it may be heard.
  private(set) var isSettled = false
  /// Frames by which its plugins delay the sound.
  private(set) var latency = 0
  private var loaded: [Int: LoadedEffect] = [:]
  /// What is known of the plugins, also while they are not loaded.
  private var known: [Int: LoadedEffect] = [:]
  private var faults: [Int: String] = [:]

  init(_ wanted: EffectChain, _ store: EffectNodeStore) { (self.wanted, self.store) = (wanted, store) }

  /// Frames between a sound at its input and the same at its output.
  func delay(period: Int) -> Int { period + latency }

  /// Takes another wanted chain with the same channels.
  mutating func want(_ chain: EffectChain) {
    if !chain.differsInValuesAlone(from: wanted) { (loaded, known, faults) = ([:], [:], [:]) }
    wanted = chain
  }

  // MARK: What the effects program does

  mutating func load(revision: Int, latency: Int, _ effects: [Int: LoadedEffect]) {
    (self.latency, loaded, isSettled) = (latency, effects, true)
    known.merge(effects) { $1 }
    store.setRevision(revision)
  }

  mutating func delay(by latency: Int) { self.latency = latency }

  /// No plugin of the chain runs now.
  mutating func unload() {
    store.setRevision(nil)
    (loaded, isSettled) = ([:], true)
  }

  mutating func fail(_ effect: Int, _ why: String) {
    faults[effect] = why
    loaded[effect] = nil
    isSettled = true
  }

  /// Whether one of its plugins is neither loaded nor left out.
  var isLoading: Bool { wanted.effects.indices.contains { loaded[$0] == nil && faults[$0] == nil } }

  /// Leaves all effects out that are not loaded.
  mutating func giveUp(_ why: String) {
    for index in wanted.effects.indices where loaded[index] == nil { fail(index, why) }
  }

  /// Somebody tries faulty effects again.
  mutating func forgive() { faults = [:] }

  // MARK: Reports

  /// What the law is told of the chain.
  func report(rate: Int, period: Int) -> EffectsReport {
    var report = EffectsReport()
    report.latency = Double(delay(period: period)) / Double(rate)
    report.effects = wanted.effects.indices.map { index in
      var facts = EffectFacts()
      if let effect = known[index] {
        (facts.controls, facts.base) = (effect.description.controls, effect.base)
      }
      if let effect = loaded[index] {
        facts.state = .working
        facts.why = effect.notes.isEmpty ? nil : effect.notes.joined(separator: "; ")
      } else if let why = faults[index] {
        (facts.state, facts.why) = (.faulty, why)
      }
      return facts
    }
    return report
  }
}
