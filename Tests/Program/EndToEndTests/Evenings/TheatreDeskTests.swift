import OSC
import TestKit
import Testing

/// The desk of the preset `theatre`: groups, talkback and solo, as `docs/guide/shows/theatre.md` promises.
@Suite struct TheatreDeskTests {
  /// What each source plays, in Hz. A period of the cue is a part of every period of the server, so its channels are in phase.
  private static let (cue, bed, manager, rain) = (1_500, 700, 900, 1_100)

  /// House, foyer, dressing rooms and the phones at the desk.
  private static func at(_ house: Int?, _ foyer: Int?, _ dressing: Int?, phones: Int? = nil) -> [Int?] {
    [house, foyer, dressing, phones].flatMap { [$0, $0] }
  }

  /// A cue and the walk-in music play, and the stage manager speaks.
  private func evening() async throws -> Evening {
    let tone = Evening.Tone(frequency: Self.bed, level: -20, seconds: 60)
    let evening = try await Evening(
      "theatre", systemOutputs: 8, systemInputs: 1,
      files: [
        "walk-in/one.flac": tone, "walk-in/two.flac": tone,
        "rain.flac": Evening.Tone(frequency: Self.rain, level: -20),
      ],
      [
        "client linux-show-player-0 program - out_sink_1,out_sink_2", "client Manager program - out_1",
        // The dummy card's microphone is silent, so the stage manager speaks into the router's port for it.
        "play Manager 1 sine \(Self.manager) -20",
      ])
    try evening.stage.do("connect Manager:out_1 multiroute:from-desk_1")
    for channel in [1, 2] {
      try evening.stage.do("play linux-show-player-0 \(channel) sine \(Self.cue) -20")
    }
    try evening.settle()
    try evening.expect(at: "system", Self.rest)
    return evening
  }

  /// What is heard while nobody has touched anything. The dressing rooms have one loudspeaker, so both channels are summed.
  private static let rest: [Int: [Int?]] = [
    cue: at(-20, nil, -27), bed: at(-32, -26, nil), manager: at(nil, nil, nil), rain: at(nil, nil, nil),
  ]

  @Test(
    "Theatre: one fader moves the music of all rooms, and the storm when it has joined; one mute silences house and foyer, and gives them back"
  )
  func groups() async throws {
    let evening = try await evening()
    try evening.send("/group/music/gain", -6.0)
    try evening.expect(at: "system", [Self.cue: Self.at(-20, nil, -27), Self.bed: Self.at(-38, -32, nil)])
    try evening.surface.send("/group/music/gain", 0.0)
    try evening.surface.send("/output/foyer/mute", 1)
    try evening.send("/group/rooms/mute", 1)
    try evening.expect(at: "system", [Self.cue: Self.at(nil, nil, -27), Self.bed: Self.at(nil, nil, nil)])
    try evening.send("/group/rooms/mute", 0)
    try evening.expect(at: "system", [Self.cue: Self.at(-20, nil, -27), Self.bed: Self.at(-32, nil, nil)])
    try evening.surface.send("/output/foyer/mute", 0)
    try evening.send("/output/house/dim", 1)
    try evening.expect(at: "system", [Self.cue: Self.at(-30, nil, -27), Self.bed: Self.at(-42, -26, nil)])
    try evening.surface.send("/output/house/dim", 0)
    try evening.send("/preset/recall", "theatre-act-two", 0.0)
    try evening.expect(at: "system", [Self.bed: Self.at(nil, -38, nil), Self.rain: Self.at(-30, nil, nil)])
    try evening.send("/group/music/gain", -6.0)
    try evening.expect(at: "system", [Self.bed: Self.at(nil, -44, nil), Self.rain: Self.at(-36, nil, nil)])
  }

  @Test(
    "Theatre: the stage manager is heard in the dressing rooms alone, over quieter cues, until the surface leaves"
  )
  func talkback() async throws {
    let evening = try await evening()
    let tablet = try evening.open(talkback: "calls", as: "manager")
    try evening.expect(
      at: "system",
      [
        Self.cue: Self.at(-20, nil, -47), Self.bed: Self.at(-32, -26, nil),
        Self.manager: Self.at(nil, nil, -17),
      ])
    let rooms = ["house", "dressing"]
    #expect(try rooms.map { try evening.surface.value("/output/\($0)/talkback") } == [0, 1])
    try evening.expectRefusal("/session/calls/talkback/to", "house", symbol: "denied")
    try evening.leave(tablet, until: "/talkback/calls/on")
    try evening.expect(at: "system", Self.rest)
  }

  @Test("Theatre: a solo is heard in the phones at the desk alone, before fader and mute")
  func solo() async throws {
    let evening = try await evening()
    try evening.surface.send("/session/bed/mute", 1)
    try evening.send("/session/bed/solo", 1)
    let muted = Self.rest.merging([Self.bed: Self.at(nil, nil, nil, phones: -20)]) { $1 }
    try evening.expect(at: "system", muted)
    #expect(try evening.surface.value("/solo/on") == 1)
    try evening.send("/solo/clear")
    #expect(try evening.surface.value("/solo/on") == 0)
    try evening.expect(at: "system", [Self.bed: Self.at(nil, nil, nil), Self.cue: Self.at(-20, nil, -27)])
  }
}
