import Foundation
import SpeechSounds
import StageKit
import TestKit
import Testing

/// A bed of sound that gets quieter while somebody speaks, with a real plugin in a real program.
@Suite struct SideChainTests {
  private static let voice = "/session/speech/stream/voice"

  /// A compressor 20:1 above -40 dB.
  private static func chain(_ source: String) -> String {
    """
    [{ "plugin": "keyed-compressor", "set": { "al": 0.01, "cr": 20, "at": 5, "rt": 50 }, "sidechain": "\(source)" }]
    """
  }

  /// A house in which the bed is heard at the USB interface, and the voice, in another session, at the headphones alone.
  private func house(_ source: String, at place: EffectHouse.Place = .stream) async throws -> EffectHouse {
    let house = try await EffectHouse(
      Self.chain(source), at: place, band: "sine 1000 -20",
      sessions: """
        "speech": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
          "voice": { "channels": 1, "from": ["Voice:out_1"], "mute": true, "to": { "headphones:1-2": 0 } } } }
        """, programs: ["source Voice 1 sine 300 -6"])
    try house.wait(for: "working")
    try house.house.freewheel()
    return house
  }

  /// By how much the bed is quieter than past the router, in dB, once the compressor has come to rest.
  private func reduction(_ house: EffectHouse) throws -> Double {
    try house.house.stage.do("frames 24000")
    let (heard, direct) = house.sounds(try house.hear { try house.house.stage.do("frames 9600") })
    return Decibels.level(direct) - Decibels.level(heard)
  }

  @Test(
    "A bed is quieter only while the voice plays, whatever has the effects and whether they hear its stream or its device",
    arguments: [
      (EffectHouse.Place.stream, "stream:speech.voice"), (.stream, "output:headphones"),
      (.output, "stream:speech.voice"), (.output, "output:headphones"), (.input, "stream:speech.voice"),
      (.capture, "output:headphones"),
    ])
  func ducks(place: EffectHouse.Place, source: String) async throws {
    let house = try await house(source, at: place)
    let before = try reduction(house)
    #expect(abs(before) < 0.1, "\(before) dB")
    try house.surface.send("\(Self.voice)/mute", 0)
    let during = try reduction(house)
    // The voice is 31 dB above the threshold by its effective value, of which a twentieth is left.
    #expect(abs(during - 29.4) < 1, "\(during) dB")
    // A fader is behind the stream's side chain, and before the device.
    try house.surface.send("\(Self.voice)/gain", -12)
    let lower = try reduction(house)
    #expect(abs(lower - (source.hasPrefix("output") ? during - 11.4 : during)) < 0.5, "\(lower) dB")
    try house.surface.send("\(Self.voice)/mute", 1)
    let after = try reduction(house)
    #expect(abs(after) < 0.1, "\(after) dB")
  }

  @Test("A side chain hears the mean of both channels of a device, and another one when it is told so")
  func channels() async throws {
    let house = try await house("output:headphones", at: .capture)
    try house.surface.send("\(Self.voice)/mute", 0)
    let both = try reduction(house)
    // One channel alone has half of the mean.
    try house.surface.send("/output/headphones/balance", -1)
    let one = try reduction(house)
    #expect(abs(both - one - 5.7) < 0.5, "\(both) and \(one) dB")
    let address = "\(house.place.address)/effect/1/sidechain"
    #expect(try house.surface.text(address) == "output:headphones")
    try house.surface.send(address, "stream:speech.voice")
    let other = try reduction(house)
    #expect(abs(other - both) < 0.2, "\(other) dB")
    #expect(try house.surface.text("\(house.place.address)/effect/1/why") == "")
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send(address, "stream:speech.vioce") }
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send(address, "none") }
    // A stream that goes leaves silence.
    try house.surface.send("/session/speech/stream/remove", "voice")
    let without = try reduction(house)
    #expect(abs(without) < 0.1, "\(without) dB")
    let why = try house.surface.text("\(house.place.address)/effect/1/why")
    #expect(why == "its side chain hears nothing: there is no stream:speech.voice", "\(why)")
  }
}
