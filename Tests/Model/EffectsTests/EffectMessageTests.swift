import Chance
import Effects
import Testing

@Suite("What the router and the effects program tell each other")
struct EffectMessageTests {
  private static let control = EffectControl(
    port: 4, symbol: "freq", name: "Frequency \"low\"", range: 20...20_000, standard: 80, unit: "Hz",
    kind: .choice, isLogarithmic: true, points: [.init(20, "low"), .init(20_000, "high")])
  private static let description = EffectDescription(
    plugin: EffectPlugin(
      uri: "urn:x", name: "Ärger\n2", kind: "EQ", inputs: 2, outputs: 2, sideInputs: 1, refusal: nil),
    controls: [control], meters: [control], presets: ["Loud"])

  @Test("Each order comes back from its line")
  func orders() {
    let chain = EffectChain(
      channels: 2, sideChannels: 1,
      effects: [
        Effect("urn:a", preset: "Loud", values: ["x": -3.3, "y": 1e-9], isOn: false),
        Effect("urn:b", sideChain: "output:usb"),
      ])
    for order in [EffectOrder.load(place: 3, revision: 7, chain), .unload(place: 63)] {
      #expect(EffectOrder(line: String(decoding: order.line.dropLast(), as: UTF8.self)) == order)
    }
  }

  @Test("Each answer comes back from its line")
  func answers() {
    let loaded = LoadedEffect(
      description: Self.description, base: ["freq": 80], firstMeter: 3, meterCount: 1, notes: ["a note"])
    for answer in [
      EffectAnswer.ready, .unloaded(place: 1),
      .refused(place: 1, revision: 2, effect: 3, why: "it \"cannot\""),
      .loaded(LoadedChain(place: 0, revision: 9, latency: 64, effects: [loaded])),
    ] {
      #expect(EffectAnswer(line: String(decoding: answer.line.dropLast(), as: UTF8.self)) == answer)
    }
    let list = EffectList(plugins: [Self.description.plugin], problems: ["a bundle is broken"])
    #expect(EffectList(bytes: list.line) == list)
    let all = EffectDescriptions(found: [Self.description], missing: ["urn:y"])
    #expect(EffectDescriptions(bytes: all.line) == all)
  }

  @Test("What an effect asks for in vain goes by its present values, and not by those at the load")
  func notes() {
    let loaded = LoadedEffect(
      description: Self.description, base: [:], firstMeter: 0, meterCount: 0, notes: ["a note"])
    func notes(_ values: [String: Float]) -> [String] { loaded.notes(on: Effect("urn:x", values: values)) }
    #expect(notes(["freq": 20]) == ["a note"])
    #expect(
      notes(["freq": 30, "Freq": 80]) == [
        "a note", "Ärger\n2 has no control Freq",
        "freq of Ärger\n2 is 20.0 and not 30.0: it takes no other value near",
      ])
  }

  @Test("Lines that are no messages are nothing, however they are damaged")
  func damaged() {
    let line = EffectAnswer.loaded(
      LoadedChain(
        place: 0, revision: 9, latency: 64,
        effects: [
          LoadedEffect(description: Self.description, base: [:], firstMeter: 0, meterCount: 1, notes: [])
        ]
      )
    ).line.dropLast()
    var chance = SeededGenerator(seed: 42)
    for _ in 0..<300 {
      var bytes = Array(line)
      bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance))
      _ = EffectAnswer(bytes: bytes)
    }
    for text in ["", "ready", "{}", "{\"answer\": \"loaded\"}", "{\"order\": \"load\", \"place\": 1}"] {
      #expect(EffectAnswer(line: text) == nil && EffectOrder(line: text) == nil)
    }
  }
}
