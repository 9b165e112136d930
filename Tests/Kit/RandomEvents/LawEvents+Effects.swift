import Effects
import SessionModel

extension LawEvents {
  private static let plugins = ["http://example.org/eq", "http://example.org/gate", "compressor"]
  private static let sideChains = ["stream:a.main", "stream:b.click", "output:usb", "output:nowhere"]

  /// An event about chains of effects: what the operator sets, and what the effects program tells of them.
  mutating func effects(_ id: SessionID, _ state: RouterState) -> Event {
    let places: [InsertPlace] = [
      .stream(id, "main"), .stream(id, "click"), .capture(id), .output(pick(Self.outputs)),
      .input(pick(Self.inputs)),
    ]
    let place = pick(places)
    let count = state.insert(at: place)?.effects.count ?? 0
    return switch number(below: 10) {
    case 0, 1: .insert(place, .effects((0..<number(below: 4)).map { _ in effect() }))
    case 2: .insert(place, .fallback(pick(EffectFallback.allCases)))
    case 3...6: .insert(place, .effect(1 + number(below: count + 1), effectSetting()))
    default: .effectsReported(place, report(of: count))
    }
  }

  private mutating func effect() -> Effect {
    Effect(
      pick(Self.plugins), preset: pick([nil, "Bright"]), values: chance() ? ["freq": 80] : [:],
      isOn: chance(),
      sideChain: number(below: 4) == 0 ? pick(Self.sideChains) : nil)
  }

  private mutating func effectSetting() -> EffectSetting {
    switch number(below: 8) {
    case 0, 1: .on(chance())
    case 2: .plugin(pick(Self.plugins))
    case 3: .preset(pick([nil, "Bright", "Missing"]))
    case 4: .sideChain(pick([nil] + Self.sideChains))
    default: .control(pick(["freq", "mode", "wrong"]), controlMove())
    }
  }

  private mutating func controlMove() -> ControlMove {
    let value = Double(number(below: 5)) * 250
    return pick([.set(value), .set(value, over: 3), .stop, .store(value)])
  }

  /// What the effects program may tell of a chain of so many effects.
  private mutating func report(of count: Int) -> EffectsReport {
    var report = EffectsReport()
    report.latency = Double(number(below: 3)) * 0.005
    report.effects = (0..<count).map { _ in facts() }
    return report
  }

  private mutating func facts() -> EffectFacts {
    var facts = EffectFacts()
    facts.state = pick([.loading, .working, .working, .faulty])
    switch facts.state {
    case .loading: break
    case .faulty: facts.why = "it crashed"
    case .working:
      facts.controls = [
        EffectControl(
          port: 0, symbol: "freq", name: "Frequency", range: 20...1_000, standard: 100, unit: "Hz",
          isLogarithmic: true),
        EffectControl(
          port: 1, symbol: "mode", name: "Mode", range: 0...1, standard: 0, kind: .choice,
          points: [.init(0, "Low"), .init(1, "High")]),
      ]
      facts.meters = [
        EffectControl(port: 2, symbol: "gr", name: "Reduction", range: -60...0, standard: 0, unit: "dB")
      ]
      facts.presets = ["Bright"]
    }
    return facts
  }
}
