import Foundation
import TestKit
import Testing

/// The preset `theatre` and its second scene do what `docs/guide/shows/theatre.md` promises.
@Suite struct TheatreTests {
  private static let cue = 500
  private static let bed = 700
  private static let voice = 900
  private static let rain = 1_100

  private func evening() async throws -> Evening {
    let evening = try await Evening(
      "theatre", systemOutputs: 4,
      files: [
        "walk-in/one.flac": Evening.Tone(frequency: Self.bed, level: -20, seconds: 60),
        "walk-in/two.flac": Evening.Tone(frequency: Self.bed, level: -20, seconds: 60),
        "five-minutes.flac": Evening.Tone(frequency: Self.voice, level: -20),
        "rain.flac": Evening.Tone(frequency: Self.rain, level: -20),
      ],
      ["client linux-show-player-0 program - out_sink_1,out_sink_2"])
    for channel in [1, 2] {
      try evening.stage.do("play linux-show-player-0 \(channel) sine \(Self.cue) -20")
    }
    try evening.settle()
    return evening
  }

  @Test(
    "Theatre: cues in the house alone, music in both rooms; an announcement lowers the music of the foyer, and never reaches the house"
  )
  func announcement() async throws {
    let evening = try await evening()
    try evening.expect(
      at: "system",
      [
        Self.cue: [-20, -20, nil, nil], Self.bed: [-32, -32, -26, -26], Self.rain: [nil, nil, nil, nil],
      ])
    try evening.expectRefusal("/session/announce/stream/voice/to/house/on", 1, symbol: "denied")
    // The file has a second, which would be over before anybody measures.
    try evening.send("/player/announce/loops", -1)
    try evening.send("/player/announce/play")
    try evening.expect(
      at: "system",
      [
        Self.cue: [-20, -20, nil, nil], Self.bed: [-32, -32, -46, -46], Self.voice: [nil, nil, -20, -20],
      ])
    try evening.surface.send("/player/announce/loops", 0)
    try evening.surface.event("active") { $0.starts(with: ["announce", 0]) }
    try evening.settle()
    try evening.expect(at: "system", [Self.bed: [-32, -32, -26, -26], Self.voice: [nil, nil, nil, nil]])
  }

  @Test("Theatre: a call interrupts the walk-in music, which comes back by itself, and no cue")
  func call() async throws {
    let evening = try await evening()
    try evening.send("/interruption/phone/on", 1)
    try evening.expect(
      at: "system", [Self.cue: [-20, -20, nil, nil], Self.bed: [nil, nil, nil, nil]])
    try evening.send("/interruption/phone/on", 0)
    try evening.expect(at: "system", [Self.bed: [-32, -32, -26, -26]])
  }

  @Test(
    "Theatre, act two: within four seconds the music leaves the house and the storm rises, under a cue that does not move"
  )
  func actTwo() async throws {
    let evening = try await evening()
    let step = 2_400
    func levels(_ frequency: Int, _ sound: DeviceSound, _ channel: Int) -> [Double] {
      SineMeter(frequency: frequency, rate: 48_000, step: step).amplitudes(in: sound[channel]).map {
        20 * log10(max($0, 1e-6))
      }
    }
    /// Seconds between the first and the last move of a level.
    func seconds(_ levels: [Double]) -> Double {
      let first = levels.firstIndex { abs($0 - (levels.first ?? 0)) > 0.2 } ?? 0
      let last = levels.lastIndex { abs($0 - (levels.last ?? 0)) > 0.2 } ?? 0
      return Double((last - first) * step) / 48_000
    }
    let sound = try evening.record("system") {
      try evening.stage.do("frames 9600")
      try evening.surface.send("/preset/recall", "theatre-act-two")
      try evening.surface.sync()
      try evening.stage.do("frames 240000")
    }
    let (house, foyer, rain) = (
      levels(Self.bed, sound, 0), levels(Self.bed, sound, 2), levels(Self.rain, sound, 0)
    )
    #expect(abs((foyer.first ?? 0) + 26) < 0.2 && abs((foyer.last ?? 0) + 38) < 0.2)
    #expect(abs((house.first ?? 0) + 32) < 0.2 && (house.last ?? 0) < -90)
    #expect((rain.first ?? 0) < -90 && abs((rain.last ?? 0) + 30) < 0.2)
    #expect(zip(foyer, foyer.dropFirst()).allSatisfy { $1 < $0 + 0.1 }, "the foyer's music only falls")
    #expect(zip(rain, rain.dropFirst()).allSatisfy { $1 > $0 - 0.1 }, "the storm only rises")
    #expect(abs(seconds(foyer) - 4) < 0.6, "the fade took \(seconds(foyer)) s")
    let cue = levels(Self.cue, sound, 0)
    #expect(cue.allSatisfy { abs($0 + 20) < 0.05 }, "the cue moved")
    try evening.expectAddresses(on: "theatre")
    // And back, for the interval.
    try evening.surface.send("/preset/guard", 0.0)
    try evening.surface.send("/preset/recall", "theatre", 0.0)
    try evening.settle()
    try evening.expect(
      at: "system", [Self.bed: [-32, -32, -26, -26], Self.rain: [nil, nil, nil, nil]])
  }
}
