import ControlInterface
import EffectBlocks
import EffectKernel
import Effects
import EffectsHost
import SessionModel

/// The chain of effects of one place, as the mix has it.
struct KeptChain {
  /// As the state wants it, with URIs.
  var wanted: EffectChain
  let store: EffectNodeStore
  /// The engine frame from which on its input is whole; nil while it is not in a mix that was published.
  var begin: UInt64?
  /// Whether it is heard. Until then its place is heard without it.
  private(set) var isOpen = false
  /// Whether no place has it any more, and the sound crosses from it.
  private(set) var isLeaving = false
  /// Whether the effects program has loaded it, or has failed, so that it may be heard.
  private(set) var isSettled = false
  /// Frames by which its plugins delay the sound.
  private(set) var latency = 0
  /// What its side chains hear, and whether there is such a thing; nil if they hear its own sound.
  var sideChain: (source: SideChainSource, isThere: Bool)?
  /// Whether nothing is heard of its place while an effect does not work.
  private(set) var fallsSilent = false
  /// Which load of it the effects program runs; nil if none.
  private var revision: Int?
  private var loaded: [Int: LoadedEffect] = [:]
  /// What is known of the plugins, also while they are not loaded.
  private var known: [Int: LoadedEffect] = [:]
  private var faults: [Int: String] = [:]

  init(_ wanted: EffectChain, _ store: EffectNodeStore) { (self.wanted, self.store) = (wanted, store) }

  /// Frames between a sound at its input and the same at its output.
  func delay(period: Int) -> Int { period + latency }

  /// Takes another wanted chain with the same channels.
  mutating func want(_ chain: EffectChain) {
    isLeaving = false
    if !chain.differsInValuesAlone(from: wanted) { (loaded, known, faults) = ([:], [:], [:]) }
    wanted = chain
    passOn()
  }

  /// Says whether anything may be heard of its place while an effect does not work. If not, nothing is heard until it is loaded.
  mutating func setFallsSilent(_ isSilent: Bool) {
    fallsSilent = isSilent
    store.setFallsSilent(isSilent)
    if isSilent { open() }
    passOn()
  }

  /// Has the audio thread use what the effects program makes, unless something lacks that must not be skipped.
  private func passOn() {
    let isLacking = wanted.effects.indices.contains { wanted.effects[$0].isOn && faults[$0] != nil }
    store.setRevision(fallsSilent && isLacking ? nil : revision)
  }

  /// Lets it be heard.
  mutating func open() {
    isOpen = true
    store.setInserted(true)
  }

  /// Has the sound of sinks cross from it. Returns whether anything is to cross.
  mutating func leave() -> Bool {
    guard isOpen || isLeaving else { return false }
    (isOpen, isLeaving) = (false, true)
    store.setInserted(false)
    return true
  }

  /// Whether the sound has crossed from it.
  var hasLeft: Bool { isLeaving && store.isBeside }

  // MARK: What the effects program does

  mutating func load(revision: Int, latency: Int, _ effects: [Int: LoadedEffect]) {
    (self.latency, loaded, isSettled) = (latency, effects, true)
    known.merge(effects) { $1 }
    self.revision = revision
    passOn()
  }

  mutating func delay(by latency: Int) { self.latency = latency }

  /// No plugin of the chain runs now.
  mutating func unload() {
    (loaded, isSettled, revision) = ([:], true, nil)
    passOn()
  }

  mutating func fail(_ effect: Int, _ why: String) {
    faults[effect] = why
    loaded[effect] = nil
    isSettled = true
    passOn()
  }

  /// Whether one of its plugins is neither loaded nor left out.
  var isLoading: Bool { wanted.effects.indices.contains { loaded[$0] == nil && faults[$0] == nil } }

  /// Leaves all effects out that are not loaded.
  mutating func giveUp(_ why: String) {
    for index in wanted.effects.indices where loaded[index] == nil { fail(index, why) }
  }

  /// Somebody tries faulty effects again.
  mutating func forgive() { faults = [:] }

  // MARK: Meters

  /// Notes what its plugins show.
  func noteMeters(of place: InsertPlace, _ exchange: EffectExchange, in levels: inout MeterLevels) {
    let blocks = exchange.chain(store.place)
    for (number, effect) in loaded {
      for (index, meter) in effect.description.meters.prefix(effect.meterCount).enumerated() {
        guard let value = blocks.shown(effect.firstMeter + index) else { continue }
        levels.effects[
          MeterLevels.EffectMeter(place, effect: number + 1, symbol: meter.symbol)] = value
      }
    }
  }

  // MARK: Reports

  /// What its effects ask for and their plugins do not do. Effects that are no longer wanted may be loaded for a moment.
  var notes: [String] {
    wanted.effects.enumerated().flatMap { index, effect in loaded[index]?.notes(on: effect) ?? [] }
  }

  private func silentSideChain(of effect: Effect) -> [String] {
    guard let text = effect.sideChain, sideChain?.isThere == false else { return [] }
    return ["its side chain hears nothing: there is no \(text)"]
  }

  /// What the law is told of the chain.
  func report(rate: Int, period: Int) -> EffectsReport {
    var report = EffectsReport()
    report.latency = Double(delay(period: period)) / Double(rate)
    report.effects = wanted.effects.indices.map { index in
      var facts = EffectFacts()
      if let effect = known[index] {
        (facts.controls, facts.base) = (effect.description.controls, effect.base)
        (facts.meters, facts.presets) = (effect.description.meters, effect.description.presets)
      }
      if let effect = loaded[index] {
        facts.state = .working
        let notes = effect.notes(on: wanted.effects[index]) + silentSideChain(of: wanted.effects[index])
        facts.why = notes.isEmpty ? nil : notes.joined(separator: "; ")
      } else if let why = faults[index] {
        (facts.state, facts.why) = (.faulty, why)
      }
      return facts
    }
    return report
  }
}
