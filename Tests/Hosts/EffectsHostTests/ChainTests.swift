import AwaitedEvents
import EffectBlocks
import Effects
import EffectsHost
import SystemCalls
import Testing
import WildPlugins

@Suite("Chains of effects in their program, block by block")
struct ChainTests {
  private static let wild = WildPlugins.uri("wild")

  private static func noise(_ count: Int, seed: UInt32 = 7) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 23) - 1
    }
  }

  @Test(
    "Sound passes bit for bit through a plugin that does nothing, in periods of any length",
    arguments: [16, 64, 100, 1_024])
  func passes(frames: Int) throws {
    let rig = try Rig(frames: frames)
    try rig.load(EffectChain(channels: 1, effects: [Effect(Self.wild)]))
    let sound = Self.noise(5_000)
    #expect(try rig.run(sound) == sound)
  }

  @Test(
    "A control moves in steps of 16 frames to its value, and the queue gives the value to the right effect")
  func controls() throws {
    let rig = try Rig()
    var chain = EffectChain(channels: 1, effects: [Effect(Self.wild), Effect(WildPlugins.uri("other"))])
    try rig.load(chain)
    chain.effects[1].values["gain"] = 3
    rig.host.keep([0: chain], seconds: 0.02)
    var heard: [Float] = []
    while heard.last != 3 { heard += try rig.run([Float](repeating: 1, count: 64)) }
    let moving = Array(heard[(heard.firstIndex { $0 != 1 } ?? 0)...].prefix { $0 != 3 })
    // 20 ms are 960 frames: 59 values of 16 frames each before the last.
    #expect(moving.count == 944)
    for piece in stride(from: 0, to: moving.count, by: 16) {
      let wanted = 1 + 2 * Float(piece + 16) / 960
      #expect(moving[piece..<piece + 16].allSatisfy { abs($0 - wanted) < 1e-5 })
    }
    // Without a value of its own the control goes back.
    chain.effects[1].values = [:]
    rig.host.keep([0: chain])
    while heard.last != 1 { heard += try rig.run([Float](repeating: 1, count: 64)) }
  }

  @Test("A toggle that would step crosses by way of the sound without the effect")
  func toggles() throws {
    let rig = try Rig()
    var chain = EffectChain(channels: 1, effects: [Effect(Self.wild)])
    try rig.load(chain)
    chain.effects[0].values["step"] = 1
    rig.host.keep([0: chain])
    var heard: [Float] = []
    while heard.last != 1.5 { heard += try rig.run([Float](repeating: 0.5, count: 64)) }
    let greatest = zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect(greatest < 1.01 / 240)
  }

  @Test("An effect that is off is bit-exact with the plugin's latency, and crossing to it combs nothing")
  func off() throws {
    let rig = try Rig()
    var chain = EffectChain(
      channels: 1, effects: [Effect(Self.wild, values: ["delay": 100, "gain": 1], isOn: false)])
    #expect(try rig.load(chain).latency == 100)
    let sound = Self.noise(20_000)
    var heard = try rig.run(Array(sound[..<5_000]))
    for isOn in [true, false, true] {
      chain.effects[0].isOn = isOn
      rig.host.keep([0: chain])
      heard += try rig.run(Array(sound[heard.count..<heard.count + 5_000]))
    }
    #expect(heard[..<100].allSatisfy { $0 == 0 })
    #expect(Array(heard[100...]) == Array(sound.dropLast(100)))
  }

  @Test(
    "A plugin that is narrower than the chain runs several times; a wider one gets the last channel twice")
  func channels() throws {
    let rig = try Rig()
    let sound = (0..<8).map { Self.noise(640, seed: UInt32($0 + 1)) }
    func turned(_ samples: [Float]) -> [Float] { samples.map { -$0 } }
    try rig.load(EffectChain(channels: 8, effects: [Effect(Self.wild)]))
    #expect(try rig.run(sound) == sound)
    // Two in, two out.
    rig.host.keep([1: EffectChain(channels: 3, effects: [Effect(WildPlugins.uri("pair"))])])
    #expect(try rig.run(Array(sound[..<3]), at: 1) == [sound[0], turned(sound[1]), sound[2]])
    // One in, two out: for two channels their mean.
    rig.host.keep([
      2: EffectChain(channels: 3, effects: [Effect(WildPlugins.uri("wide"))]),
      3: EffectChain(channels: 1, effects: [Effect(WildPlugins.uri("wide"))]),
    ])
    let mean = zip(sound[0], sound[1]).map { 0.5 * ($0 + $1) }
    #expect(try rig.run(Array(sound[..<3]), at: 2) == [mean, mean.map { 2 * $0 }, sound[2]])
    #expect(try rig.run([sound[4]], at: 3) == [sound[4]])
  }

  @Test("A side chain is the other sound; without one the plugin listens to its own")
  func sideChain() throws {
    let rig = try Rig()
    let (sound, key) = (Self.noise(640), Self.noise(640, seed: 9))
    let side = Effect(WildPlugins.uri("side"))
    let keyed = Effect(WildPlugins.uri("side"), sideChain: "output:usb")
    try rig.load(EffectChain(channels: 1, sideChannels: 1, effects: [keyed]))
    #expect(try rig.run([sound], side: [key])?[0] == zip(sound, key).map { $0 + 10 * $1 })
    // A plugin of one channel runs for each, and hears the channel of the other sound.
    rig.host.keep([2: EffectChain(channels: 2, sideChannels: 2, effects: [keyed])])
    #expect(
      try rig.run([sound, sound], side: [key, sound], at: 2) == [
        zip(sound, key).map { $0 + 10 * $1 }, sound.map { $0 + 10 * $0 },
      ])
    rig.host.keep([1: EffectChain(channels: 2, effects: [side])])
    #expect(try rig.run([sound, key], at: 1) == [sound.map { $0 + 10 * $0 }, key.map { $0 + 10 * $0 }])
  }

  @Test("A preset sets controls by its name or URI, and the chain's own values come after it")
  func presets() throws {
    let rig = try Rig()
    let loaded = try rig.load(EffectChain(channels: 1, effects: [Effect(Self.wild, preset: "Loud")]))
    #expect(loaded.effects[0]?.base["gain"] == 4 && loaded.effects[0]?.description.presets == ["Loud"])
    #expect(try rig.run([Float](repeating: 0.5, count: 64)) == [Float](repeating: 2, count: 64))
    rig.host.keep([
      1: EffectChain(
        channels: 1, effects: [Effect(Self.wild, preset: "urn:multiroute:wild:loud", values: ["gain": 2])])
    ])
    #expect(try rig.run([Float](repeating: 0.5, count: 64), at: 1) == [Float](repeating: 1, count: 64))
    rig.host.keep([2: EffectChain(channels: 1, effects: [Effect(Self.wild, preset: "Quiet")])])
    #expect(
      try rig.fault().why == "Wild of the tests has no preset Quiet; it has Loud")
  }

  @Test("What a plugin shows is in the chain's meters, and what was asked for in vain is noted")
  func metersAndNotes() throws {
    let rig = try Rig()
    let wanted = Effect(Self.wild, values: ["gain": 30, "treble": 1, "delay": 2.4])
    let loaded = try rig.load(EffectChain(channels: 1, effects: [Effect(Self.wild), wanted]))
    _ = try rig.run([Float](repeating: 0, count: 64))
    let effect = try #require(loaded.effects[1])
    #expect((effect.firstMeter, effect.meterCount) == (1, 1))
    #expect(effect.description.meters.map(\.symbol) == ["meter"])
    #expect(rig.exchange.chain(0).shown(effect.firstMeter) == 20)
    #expect(
      effect.notes(on: wanted) == [
        "delay of Wild of the tests is 2.0 and not 2.4: it takes no other value near",
        "gain of Wild of the tests is 10.0 and not 30.0: it goes from 0.0 to 10.0",
        "Wild of the tests has no control treble",
      ])
    #expect(effect.description.controls.first { $0.symbol == "delay" }?.unit == "frames")
  }

  @Test("A plugin's worker works beside the sound, and its answers come into the run")
  func worker() throws {
    let rig = try Rig()
    try rig.load(EffectChain(channels: 1, effects: [Effect(WildPlugins.uri("worker"))]))
    var last: Float = 0
    // Each answer adds one.
    while last < 5 { last = try rig.run([Float](repeating: 0, count: 64)).last ?? 0 }
    #expect(last == last.rounded())
  }

  @Test(
    "A plugin that cannot be used is refused with a sentence, and the rest of the chain runs",
    arguments: [
      ("voltage", "it must get or give control voltages (volts)"),
      ("window", "it requires http://lv2plug.in/ns/extensions/ui#idleInterface, which no effect gets here"),
      ("silent", "it has no audio output"), ("deaf", "it has no audio input"),
      ("narrow", "it makes 1 channels of 2"), ("missing", "its file "),
      ("garbage", "Garbage of the tests cannot be started: its file is broken"),
      ("refuses", "its file is broken or missing, or it refuses the sample rate"),
      ("nowhere", "the plugin urn:multiroute:nowhere is not installed"),
    ])
  func refused(name: String, why: String) throws {
    let rig = try Rig()
    rig.host.keep([
      5: EffectChain(channels: 1, effects: [Effect(WildPlugins.uri(name)), Effect(Self.wild)])
    ])
    let fault = try rig.fault()
    #expect(fault.place == EffectPlace(chain: 5, effect: 0) && fault.trouble == .refused)
    #expect(fault.why.contains(why), "\(fault.why)")
    let loaded = try rig.loaded(5)
    #expect(Array(loaded.effects.keys) == [1])
    let sound = Self.noise(640)
    #expect(try rig.run(sound, at: 5) == sound)
  }

  @Test(
    "A latency that changes while the plugin runs is told, in the block and to the router; one that is too long silences the chain"
  )
  func latency() throws {
    let rig = try Rig()
    var chain = EffectChain(channels: 1, effects: [Effect(Self.wild), Effect(WildPlugins.uri("other"))])
    #expect(try rig.load(chain).latency == 0)
    for (delay, latency) in [(300, 300), (8_192, 8_192)] {
      chain.effects[0].values["delay"] = Float(delay)
      rig.host.keep([0: chain])
      while rig.exchange.chain(0).latency(period: rig.period) != latency {
        _ = try rig.run([Float](repeating: 0, count: 64))
      }
      #expect(rig.reports.wait { $0 == .latency(chain: 0, frames: latency) })
    }
    chain.effects[0].values["delay"] = 9_000
    rig.host.keep([0: chain])
    while try rig.run([[Float](repeating: 0, count: 64)]) != nil {}
    let fault = try rig.fault()
    #expect(fault.place == EffectPlace(chain: 0, effect: 0) && fault.trouble == .tooLate)
    #expect(fault.why == "urn:multiroute:wild delays the sound by more than 8192 frames")
    let rest = try rig.loaded(effects: 1)
    #expect(rest.latency == 0 && Array(rest.effects.keys) == [1])
  }

  @Test("All places for chains are there at once, and a place more is refused by its channels alone")
  func many() throws {
    let rig = try Rig()
    let chain = EffectChain(channels: 2, effects: [Effect(Self.wild), Effect(WildPlugins.uri("pair"))])
    let places = Array(0..<EffectLimits.chains)
    rig.host.keep(Dictionary(uniqueKeysWithValues: places.map { ($0, chain) }))
    let sound = [Self.noise(128), Self.noise(128, seed: 3)]
    for place in places {
      #expect(try rig.run(sound, at: place) == [sound[0], sound[1].map { -$0 }])
    }
    rig.host.keep([0: EffectChain(channels: 9, effects: [Effect(Self.wild)])])
    #expect(try rig.fault().why.hasPrefix("a chain has 1 to 8 channels"))
  }

  @Test("Eight of the plugins with the most controls load, and have as many meters as there is room for")
  func large() throws {
    let rig = try Rig()
    let largest = Effect("http://lsp-plug.in/plugins/lv2/graph_equalizer_x32_stereo")
    let loaded = try rig.load(EffectChain(channels: 2, effects: .init(repeating: largest, count: 8)))
    let effects = try (0..<8).map { try #require(loaded.effects[$0]) }
    #expect(effects.allSatisfy { $0.description.controls.count > 100 && $0.description.meters.count > 32 })
    #expect(effects.reduce(0) { $0 + $1.meterCount } == EffectLimits.meters)
    #expect(zip(effects, effects.dropFirst()).allSatisfy { $0.firstMeter + $0.meterCount == $1.firstMeter })
    #expect(try rig.run([Self.noise(640), Self.noise(640)]) != nil)
  }

  @Test(
    "A chain that is loaded anew leaves the block that was made last as it is, because the audio thread mixes it"
  )
  func blockAtRest() throws {
    let rig = try Rig()
    let chain = EffectChain(channels: 1, effects: [Effect(Self.wild)])
    try rig.load(chain)
    _ = try rig.run([[Float](repeating: 0.5, count: 64)])
    let block = rig.exchange.chain(0).output(channel: 0, period: rig.period)
    #expect((0..<64).allSatisfy { block[$0] == 0.5 })
    // Nothing else tells whether the same samples were written again.
    block.update(repeating: 0.25, count: 64)
    rig.host.keep([0: EffectChain(channels: 1, effects: [Effect(Self.wild), Effect(Self.wild)])])
    _ = try rig.loaded(effects: 2)
    // The next block has memory of its own. When it is there, the program has looked for the former one.
    _ = try rig.run([[Float](repeating: 0.5, count: 64)])
    #expect((0..<64).allSatisfy { block[$0] == 0.25 })
  }

  @Test("Chains come and go while others play on, and the program ends with the last one")
  func comeAndGo() throws {
    let rig = try Rig()
    let chain = EffectChain(channels: 2, effects: [Effect(Self.wild)])
    rig.host.keep([:])
    try rig.load(chain)
    #expect(rig.reports.count { if case .started = $0 { true } else { false } } == 1)
    let program = try rig.program()
    #expect(System.exists(program))
    let sound = [Self.noise(6_400), Self.noise(6_400, seed: 3)]
    rig.host.keep([0: chain, 63: chain])
    #expect(try rig.run(sound) == sound)
    #expect(try rig.run(sound, at: 63) == sound)
    rig.host.keep([63: chain])
    #expect(rig.reports.wait { $0 == .unloaded(chain: 0) })
    #expect(try rig.run(sound, at: 63) == sound)
    rig.host.keep([:])
    #expect(rig.reports.wait { $0 == .unloaded(chain: 63) })
    #expect(!System.exists(program))
    #expect(!rig.reports.all.contains { if case .ended = $0 { true } else { false } })
  }
}
