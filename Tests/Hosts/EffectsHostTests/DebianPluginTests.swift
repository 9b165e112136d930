import EffectBlocks
import Effects
import EffectsHost
import Foundation
import TemporaryFolders
import Testing

@Suite("The plugins of Debian that have short names")
struct DebianPluginTests {
  private static func tone(_ frequency: Double, _ level: Double, seconds: Double) -> [Float] {
    (0..<Int(seconds * 48_000)).map {
      Float(level * sin(2 * .pi * frequency * Double($0) / 48_000))
    }
  }

  /// The level of the second half in dB.
  private static func level(_ sound: [Float]) -> Double {
    let half = sound.suffix(sound.count / 2)
    return 10 * log10(half.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(half.count))
  }

  private static func effect(_ name: String, channels: Int = 1, _ values: [String: Float] = [:]) throws
    -> Effect
  {
    let found = try #require(EffectName.named(name))
    return Effect(found.plugin(channels: channels), values: found.values.merging(values) { $1 })
  }

  @Test(
    "Each short name loads for one and for two channels, without a note",
    arguments: EffectName.all.map(\.name), [1, 2])
  func names(name: String, channels: Int) throws {
    let rig = try Rig(frames: 256)
    let wanted = try Self.effect(name, channels: channels)
    let loaded = try rig.load(
      EffectChain(channels: channels, sideChannels: channels, effects: [wanted]))
    let effect = try #require(loaded.effects[0])
    #expect(effect.notes(on: wanted) == [] && !effect.description.controls.isEmpty)
    let sound = Self.tone(1_000, 0.1, seconds: 0.2)
    let heard = try #require(try rig.run([[Float]](repeating: sound, count: channels)))
    #expect(heard.allSatisfy { $0.contains { $0 != 0 } })
  }

  @Test(
    "The high-pass at 100 Hz is what sox says, within half a decibel",
    arguments: [40, 60, 100, 150, 400, 2_000])
  func highPass(frequency: Double) throws {
    let rig = try Rig(frames: 256)
    try rig.load(EffectChain(channels: 1, effects: [Self.effect("high-pass", ["HPfreq": 100, "HPQ": 0.7])]))
    let sound = Self.tone(frequency, 0.25, seconds: 2)
    let lowered = Self.level(try rig.run(sound)) - Self.level(sound)
    let folder = try TemporaryFolder()
    let sox = Process()
    sox.executableURL = URL(filePath: "/usr/bin/sox")
    sox.arguments = [
      "-t", "raw", "-e", "float", "-b", "32", "-r", "48000", "-c", "1", folder.file("in"),
      "-t", "raw", folder.file("out"), "highpass", "-2", "100", "0.7071q",
    ]
    try sound.withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.file("in")))
    try sox.run()
    sox.waitUntilExit()
    let bytes = try Data(contentsOf: URL(filePath: folder.file("out")))
    let other = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let wanted = Self.level(other) - Self.level(sound)
    #expect(abs(lowered - wanted) < 0.5, "\(frequency) Hz: \(lowered) dB, and sox says \(wanted) dB")
  }

  @Test("The compressor makes loud sound less loud, quiet sound stays, and its meter shows the reduction")
  func compressor() throws {
    let rig = try Rig(frames: 256)
    // -24 dB, 4:1
    let loaded = try rig.load(
      EffectChain(
        channels: 1, effects: [Self.effect("compressor", ["al": 0.063, "cr": 4, "at": 5, "rt": 50])]))
    let effect = try #require(loaded.effects[0])
    let quiet = Self.tone(1_000, 0.01, seconds: 1)
    #expect(abs(Self.level(try rig.run(quiet)) - Self.level(quiet)) < 0.2)
    let loud = Self.tone(1_000, 0.5, seconds: 1)
    let lowered = Self.level(try rig.run(loud)) - Self.level(loud)
    #expect(lowered < -6 && lowered > -18, "\(lowered)")
    let meter = try #require(effect.description.meters.firstIndex { $0.symbol == "rlm" })
    let shown = Double(try #require(rig.exchange.chain(0).shown(effect.firstMeter + meter)))
    #expect(abs(20 * log10(shown) - lowered) < 1.5, "\(20 * log10(shown)) and \(lowered)")
  }

  @Test("The keyed compressor is quieter while the other sound is loud")
  func keyed() throws {
    let rig = try Rig(frames: 256)
    var effect = try Self.effect("keyed-compressor", channels: 2, ["al": 0.03, "cr": 10])
    effect.sideChain = "output:usb"
    try rig.load(EffectChain(channels: 2, sideChannels: 2, effects: [effect]))
    let (sound, silence) = (Self.tone(1_000, 0.1, seconds: 1), [Float](repeating: 0, count: 48_000))
    let free = try #require(try rig.run([sound, sound], side: [silence, silence]))[0]
    let key = Self.tone(300, 0.7, seconds: 1)
    let pressed = try #require(try rig.run([sound, sound], side: [key, key]))[0]
    #expect(abs(Self.level(free) - Self.level(sound)) < 0.5)
    #expect(Self.level(pressed) < Self.level(sound) - 10)
  }

  @Test("The limiter tells the latency that its sound has, to the frame, and lets no peak through")
  func limiter() throws {
    let rig = try Rig(frames: 64)
    let loaded = try rig.load(EffectChain(channels: 1, effects: [Self.effect("limiter", ["threshold": -6])]))
    #expect(loaded.latency == 64)
    var click = [Float](repeating: 0, count: 640)
    click[10] = 0.25
    let heard = try rig.run(click)
    let place = try #require(heard.indices.max { abs(heard[$0]) < abs(heard[$1]) })
    #expect(place == 10 + 64)
    let loud = try rig.run(Self.tone(300, 1, seconds: 0.5))
    #expect((loud.suffix(10_000).map(abs).max() ?? 1) < 0.512)
  }
}
