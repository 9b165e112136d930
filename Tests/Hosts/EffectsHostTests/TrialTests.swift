import Effects
import EffectsHost
import Testing
import WildPlugins

@Suite("Chains are tried on silence, noise and NaN", .serialized)
struct TrialTests {
  private static let wild = WildPlugins.uri("wild")
  private static let other = Effect(WildPlugins.uri("other"))

  private static func trial(program: String = Rig.program) throws -> EffectTrial {
    try EffectTrial(
      EffectsHost.Settings(
        program: program, rate: 48_000, frames: 256, priority: 0, pluginPath: try Rig.plugins.get().path))
  }

  @Test("A good chain has a time, its latency and no fault, one chain after the other")
  func good() throws {
    let trial = try Self.trial()
    for delay in [0, 100, 100] {
      let chain = EffectChain(
        channels: 2, effects: [Effect(Self.wild, values: ["delay": Float(delay)]), Self.other])
      let result = try trial.run(chain)
      #expect(result.faults == [] && result.notes == [] && result.latency == delay)
      let time = try #require(result.time)
      #expect(time > 1e-7 && time < 256 / 48_000, "\(time)")
    }
    let equaliser = try trial.run(
      EffectChain(
        channels: 2, effects: [Effect("http://gareus.org/oss/lv2/fil4#stereo", values: ["HPfreg": 1])]))
    #expect(
      equaliser.faults == []
        && equaliser.notes == ["x42-eq - Parametric Equalizer Stereo has no control HPfreg"], "\(equaliser)")
  }

  @Test(
    "A plugin that crashes, hangs, ends the program or makes NaN is named, and the rest of the chain is tried",
    arguments: [
      (1, EffectTrouble.crashed, "has crashed (signal 11)"),
      (3, .crashed, "has ended its program (exit code 3)"),
      (4, .hung, "has not returned for"),
      (6, .refused, "makes samples of silence that are no finite numbers"),
      (7, .refused, "makes samples of silence that are no finite numbers"),
      (8, .crashed, "has crashed (signal 11)"),
    ])
  func faulty(fault: Int, trouble: EffectTrouble, why: String) throws {
    let result = try Self.trial().run(
      EffectChain(
        channels: 1, effects: [Self.other, Effect(Self.wild, values: ["fault": Float(fault)]), Self.other]))
    #expect(result.faults.count == 1 && result.time != nil, "\(result)")
    let found = try #require(result.faults.first)
    #expect(found.effect == 1 && found.trouble == trouble && found.why.contains(why), "\(result)")
  }

  @Test("A plugin that cannot be loaded is a fault, and a chain of such alone has no time")
  func refused() throws {
    let result = try Self.trial().run(
      EffectChain(channels: 1, effects: [Effect(WildPlugins.uri("refuses")), Effect("urn:none")]))
    #expect(result.time == nil && result.faults.map(\.trouble) == [.refused, .refused], "\(result)")
    #expect(result.faults.allSatisfy { $0.sound == nil })
  }

  @Test("Without a program nothing is tried, and the reason is said")
  func noProgram() throws {
    let chain = EffectChain(channels: 1, effects: [Self.other])
    for (program, why) in [("/nowhere/effects", "cannot be started"), ("/bin/false", "has ended with 1")] {
      let failure = #expect(throws: EffectTrial.Failure.self) { try Self.trial(program: program).run(chain) }
      #expect(failure?.description.contains(why) == true, "\(String(describing: failure))")
    }
  }
}
