import Chance
import Effects
import Testing

@Suite("Effects as text")
struct EffectTextTests {
  @Test(
    "An effect is what its text says",
    arguments: [
      ("eq", Effect("eq"), "eq"),
      ("  High-Pass   HPfreq=100 ", Effect("high-pass", values: ["HPfreq": 100]), "high-pass HPfreq=100"),
      (
        "off http://a.b/c#d preset=\"Warm hall\" b=-0.25 a=1e-5 off",
        Effect("http://a.b/c#d", preset: "Warm hall", values: ["a": 1e-5, "b": -0.25], isOn: false),
        "http://a.b/c#d off preset=\"Warm hall\" a=1e-05 b=-0.25"
      ), ("gate on", Effect("gate"), "gate"),
      (
        "Keyed-Compressor cr=10 sidechain=stream:show.voice",
        Effect("keyed-compressor", values: ["cr": 10], sideChain: "stream:show.voice"),
        "keyed-compressor sidechain=stream:show.voice cr=10"
      ),
    ])
  func read(text: String, effect: Effect, canonical: String) throws {
    guard !text.hasPrefix("off") else {
      // The plugin comes first.
      #expect(throws: EffectTextError.self) { try Effect(text: text) }
      let rest = String(text.dropFirst(4))
      #expect(try Effect(text: rest) == effect && Effect(text: rest).text == canonical)
      return
    }
    #expect(try Effect(text: text) == effect && Effect(text: text).text == canonical)
  }

  @Test(
    "A text that means no effect is refused with what is wrong and what would be right",
    arguments: [
      ("", "names no plugin"), ("reverberation", "'reverberation' is no plugin"), ("eq loud", "'loud'"),
      ("eq a=b", "'b' is no value for a"), ("eq a=nan", "no value"), ("eq a=1e99", "no value"),
      ("eq 1a=2", "'1a' is no symbol"), ("eq =2", "no symbol"), ("eq preset=", "no name of a preset"),
      ("urn:a\u{7}", "is no plugin"), ("Keyed-Compressor", "needs the sound of a side chain"),
      ("gate sidechain=", "'' is no source of a side chain"),
      ("eq a\u{e9}=1", "no symbol"),
      ("eq \(String(repeating: "a=1 ", count: 400))", "1603 bytes"),
    ])
  func refused(text: String, words: String) {
    do throws(EffectTextError) {
      let effect = try Effect(text: text)
      Issue.record("\(effect)")
    } catch { #expect(error.what.contains(words) && !error.fix.isEmpty, "\(error)") }
  }

  @Test("What is written is read as it was, to the bit")
  func roundTrip() throws {
    var dice = SeededGenerator(seed: 11)
    for _ in 0..<1_000 {
      var effect = Effect(["eq", "gate", "urn:x:y"].randomElement(using: &dice)!)
      effect.isOn = Bool.random(using: &dice)
      effect.preset = Bool.random(using: &dice) ? "a b=c off" : nil
      effect.sideChain = Bool.random(using: &dice) ? "stream:a.b" : nil
      for symbol in ["a", "B_2", "_x"] where Bool.random(using: &dice) {
        effect.values[symbol] = Float(bitPattern: UInt32.random(in: 0...0x7f00_0000, using: &dice))
      }
      #expect(try Effect(text: effect.text) == effect)
    }
  }

  @Test("A short name becomes the plugin for the number of channels, with values that may be changed")
  func resolved() {
    let effect = Effect("high-pass", values: ["HPfreq": 120], isOn: false)
    let mono = effect.resolved(channels: 1)
    #expect(mono.plugin.hasSuffix("fil4#mono") && !mono.isOn)
    #expect(mono.values == ["HighPass": 1, "HPfreq": 120])
    #expect(effect.resolved(channels: 2).plugin.hasSuffix("fil4#stereo"))
    #expect(Effect("urn:x").resolved(channels: 2) == Effect("urn:x"))
  }
}
