import EffectBlocks
import Effects

/// The host's record of one chain.
struct EffectSlot {
  /// As the router wants it.
  private(set) var wanted: EffectChain
  /// Effects that are left out, by their number in the wanted chain.
  private(set) var faulty: Set<Int> = []
  private(set) var phase = Phase.new
  /// The numbers, in the wanted chain, of the effects that the program has.
  private(set) var numbers: [Int] = []
  /// What the program has been told of each of them.
  private var told: [Effect] = []
  private var loaded: LoadedChain?
  /// Frames of latency that were told to the router.
  var latency = 0
  /// Late blocks, and the times of each effect, when the present second began.
  var late = 0
  private var times: [(nanoseconds: Int, runs: Int)] = []

  enum Phase: Equatable {
    /// The program must be told.
    case new
    case loading(revision: Int, since: Double)
    case running(revision: Int)
    /// No effect is left that could run.
    case empty
  }

  init(_ wanted: EffectChain) { self.wanted = wanted }

  /// Takes another wanted chain. Other plugins are a new beginning, without faults.
  mutating func want(_ chain: EffectChain) {
    let keeps = chain.differsInValuesAlone(from: wanted)
    wanted = chain
    if !keeps { (faulty, phase) = ([], .new) }
  }

  /// Forgets faults, so that the effects are tried again; false if there are none.
  mutating func forgive() -> Bool {
    guard !faulty.isEmpty else { return false }
    (faulty, phase) = ([], .new)
    return true
  }

  /// Leaves an effect out from now on.
  mutating func leaveOut(_ number: Int) {
    faulty.insert(number)
    phase = .new
  }

  /// The program has ended.
  mutating func lose() { (phase, loaded) = (.new, nil) }

  /// The chain to load; nil if none of its effects is left.
  mutating func load(revision: Int, now: Double) -> EffectChain? {
    numbers = wanted.effects.indices.filter { !faulty.contains($0) }
    loaded = nil
    guard !numbers.isEmpty else {
      phase = .empty
      return nil
    }
    phase = .loading(revision: revision, since: now)
    var chain = wanted
    chain.effects = numbers.map { wanted.effects[$0] }
    told = chain.effects
    return chain
  }

  /// The program runs the chain, for which so many blocks were late before.
  mutating func run(_ chain: LoadedChain, late: Int) {
    phase = .running(revision: chain.revision)
    (loaded, latency, self.late) = (chain, chain.latency, late)
    times = numbers.map { _ in (0, 0) }
  }

  /// The mean time of an effect's runs in the present second, in nanoseconds, which ends with these times.
  mutating func mean(_ effect: Int, _ now: (nanoseconds: Int, runs: Int)) -> Double {
    defer { times[effect] = now }
    // A plugin may have written anything there.
    let (time, runs) = (now.nanoseconds &- times[effect].nanoseconds, now.runs &- times[effect].runs)
    return runs > 0 ? Double(time) / Double(runs) : 0
  }

  /// The number in the wanted chain of an effect of the program.
  func number(_ effect: Int) -> Int? { numbers.indices.contains(effect) ? numbers[effect] : nil }

  /// Tells the program what differs from what it knows, by `push`, which returns false if there is no room; then the rest follows with the next
  /// call. Returns whether all was told. `push` gets the seconds of a fade, if the control fades.
  mutating func tell(_ place: Int, _ push: (EffectPlace, Int, Int?, Float, Double?) -> Bool) -> Bool {
    guard case .running(let revision) = phase, let loaded else { return true }
    for (index, number) in numbers.enumerated() {
      let (effect, effectPlace) = (wanted.effects[number], EffectPlace(chain: place, effect: index))
      if effect.isOn != told[index].isOn {
        guard push(effectPlace, revision, nil, effect.isOn ? 1 : 0, nil) else { return false }
        told[index].isOn = effect.isOn
      }
      guard effect.values != told[index].values else { continue }
      let known = loaded.effects[index]
      for control in known.description.controls {
        let (new, old) = (effect.values[control.symbol], told[index].values[control.symbol])
        guard new != old else { continue }
        let value = new ?? known.base[control.symbol] ?? control.standard
        let fade = effect.fades[control.symbol]?.seconds
        guard push(effectPlace, revision, control.port, control.accepted(value), fade) else { return false }
        told[index].values[control.symbol] = new
      }
      told[index].values = effect.values
    }
    return true
  }

  /// For the router: what runs.
  var effects: [Int: LoadedEffect] {
    guard let loaded else { return [:] }
    return Dictionary(zip(numbers, loaded.effects), uniquingKeysWith: { first, _ in first })
  }
}
