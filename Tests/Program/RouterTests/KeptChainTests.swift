import EffectBlocks
import EffectKernel
import Effects
import Testing

@testable import Router

@Suite("A kept chain of effects")
struct KeptChainTests {
  @Test(
    "A report about the chain as it was wanted before, with more effects, says nothing of those that are gone"
  )
  func lateReport() throws {
    let memory = try EffectMemoryStore(frames: 64)
    let store = EffectNodeStore(memory, place: 0, channels: 2, period: 64, change: 96)
    var chain = KeptChain(
      EffectChain(channels: 2, effects: [Effect("urn:a"), Effect("urn:b")]), store)
    chain.want(EffectChain(channels: 2, effects: [Effect("urn:a")]))
    let plugin = EffectPlugin(
      uri: "urn:a", name: "A", kind: "EQ", inputs: 2, outputs: 2, sideInputs: 0, refusal: nil)
    let description = EffectDescription(plugin: plugin, controls: [], meters: [], presets: [])
    func loaded(_ note: String) -> LoadedEffect {
      LoadedEffect(description: description, base: [:], firstMeter: 0, meterCount: 0, notes: [note])
    }
    chain.load(revision: 1, latency: 0, [0: loaded("first"), 1: loaded("second")])
    #expect(chain.notes == ["first"])
  }
}
