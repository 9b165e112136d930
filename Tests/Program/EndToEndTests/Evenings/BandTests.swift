import Foundation
import OSC
import TestKit
import Testing

/// The whole band of the preset `band-with-click`, with four musicians and an engineer, as `docs/guide/shows/band-with-click.md` promises.
@Suite struct BandTests {
  private static let box = "Scarlett 18i20 USB Pro"
  /// What each source plays, in Hz. The talkback is a microphone, too.
  private static let (tracks, click, singer, director) = (500, 700, 900, 1_100)
  private static let (kick, snare, choir) = (1_300, 1_500, 1_700)

  /// The levels at the PA, in the ears of drummer, singer, guitarist and bassist, and in the engineer's phones; each at both channels.
  private static func at(
    _ pa: Int?, _ drummer: Int?, _ singer: Int?, _ guitarist: Int?, _ bassist: Int?, phones: Int? = nil
  ) -> [Int?] {
    [pa, drummer, singer, guitarist, bassist, phones].flatMap { [$0, $0] }
  }

  private static let silence = at(nil, nil, nil, nil, nil)

  /// What everybody hears while all play and nobody has touched anything.
  private static let mix: [Int: [Int?]] = [
    tracks: at(-20, -26, -30, -30, -30), click: at(nil, -23, -40, -32, -26),
    singer: at(-23, -32, -20, -32, -32), director: silence,
    kick: at(-26, -29, nil, nil, -26), snare: at(-29, -29, nil, nil, nil),
    choir: at(-26, nil, -32, -23, nil),
  ]

  /// All play: the tracks and the click, singer and director, bass drum, snare drum from above, and the guitarist, who sings from further away.
  private func evening() async throws -> Evening {
    let ports = (0...11).map { "playback_AUX\($0)" }.joined(separator: ",")
    let microphones = (0...5).map { "capture_AUX\($0)" }.joined(separator: ",")
    let evening = try await Evening(
      "band-with-click",
      files: [
        "set/tracks/one.flac": Evening.Tone(frequency: Self.tracks, level: -20),
        "set/click/one.flac": Evening.Tone(frequency: Self.click, level: -20),
      ],
      ["client \"\(Self.box)\" device \(ports) \(microphones)"])
    try evening.surface.send("/player/{tracks,click}/loops", -1)
    try evening.surface.send("/player/{tracks,click}/playing", 1)
    for (channel, frequency, level) in [
      (1, Self.singer, -20), (2, Self.director, -20), (3, Self.kick, -20), (4, Self.snare, -20),
      (6, Self.choir, -26),
    ] {
      try evening.stage.do("play \"\(Self.box)\" \(channel) sine \(frequency) \(level)")
    }
    try evening.settle()
    try evening.expect(at: Self.box, Self.mix)
    return evening
  }

  /// Expects what everybody hears; what is not named is heard as before.
  private func expect(
    _ evening: Evening, _ changes: [Int: [Int?]], _ promise: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try evening.expect(
      at: Self.box, Self.mix.merging(changes) { $1 }, promise, sourceLocation: sourceLocation)
  }

  @Test(
    "Band with four musicians: a DCA moves its members together in the PA, and the ears of all are one fader below their maximum"
  )
  func faders() async throws {
    let evening = try await evening()
    try evening.expectAddresses(on: "band-with-click")
    let step = 2_400
    let sound = try evening.record(Self.box) {
      try evening.stage.do("frames 4800")
      try evening.surface.send("/group/voices/gain/fade", -12.0, 1.0)
      while try evening.surface.number("/group/voices/gain") > -12 { try evening.stage.do("frames 4800") }
      try evening.stage.do("frames 9600")
    }
    func levels(_ frequency: Int) -> [Double] {
      SineMeter(frequency: frequency, rate: 48_000, step: step).amplitudes(in: sound[0]).map {
        20 * log10(max($0, 1e-6))
      }
    }
    let voices = (levels(Self.singer), levels(Self.choir))
    #expect(abs((voices.0.first ?? 0) + 23) < 0.2 && abs((voices.0.last ?? 0) + 35) < 0.2)
    #expect(zip(voices.0, voices.1).allSatisfy { abs($0 - $1 - 3) < 0.2 }, "\(voices)")
    try expect(
      evening,
      [Self.singer: Self.at(-35, -32, -20, -32, -32), Self.choir: Self.at(-38, nil, -32, -23, nil)],
      "the ears keep their mix, and all else keeps its level")
    #expect(try evening.surface.number("/session/show/stream/vocals/gain") == 0, "members keep their faders")
    try evening.surface.send("/group/voices/gain", 0.0)
    try evening.send("/group/drums/gain", -6.0)
    try expect(
      evening, [Self.kick: Self.at(-32, -29, nil, nil, -26), Self.snare: Self.at(-35, -29, nil, nil, nil)],
      "the drums")
    try evening.surface.send("/group/drums/gain", 0.0)
    try evening.expectRefusal("/group/ears/gain", 1.0, symbol: "outOfRange")
    try evening.expectRefusal("/output/bassist/gain", 1.0, symbol: "outOfRange")
    try evening.send("/group/ears/gain", -10.0)
    try evening.expect(
      at: Self.box,
      [
        Self.tracks: Self.at(-20, -36, -40, -40, -40), Self.click: Self.at(nil, -33, -50, -42, -36),
        Self.kick: Self.at(-26, -39, nil, nil, -36),
      ], "the ears")
  }

  @Test(
    "Band with four musicians: both voices go through a low cut and a compressor in the PA and in the ears, until the engineer lets them pass"
  )
  func effects() async throws {
    let evening = try await evening()
    /// The levels of the singer at the PA and in the own ears.
    func hear(_ frequency: Int, _ level: Int) throws -> [Double] {
      try evening.play(Self.box, 1, "sine \(frequency) \(level)")
      let levels = try evening.stage.tones(frequency, at: [Self.box])[0]
      return [levels[0], levels[4]]
    }
    let loud = try hear(Self.singer, -4)
    #expect(loud[0] < -9 && loud[1] < -6 && loud[0] > -15, "compressed: \(loud)")
    let rumble = try hear(20, -20)
    #expect(rumble[0] < -38 && rumble[1] < -35, "\(rumble)")
    try evening.send("/session/show/stream/{vocals,choir}/effect/2/on", 0)
    for (level, expected) in zip(try hear(Self.singer, -4), [-7.0, -4]) {
      #expect(abs(level - expected) < 0.2)
    }
    try evening.send("/effects/bypass", 1)
    for (level, expected) in zip(try hear(20, -20), [-23.0, -20]) { #expect(abs(level - expected) < 0.2) }
  }

  @Test(
    "Band with four musicians: a mute group mutes all microphones, and lifted gives back what each was")
  func muteGroup() async throws {
    let evening = try await evening()
    try evening.send("/session/show/stream/choir/mute", 1)
    try expect(evening, [Self.choir: Self.silence], "the guitarist does not sing")
    #expect(try evening.surface.value("/group/microphones/on") == .int32(0))
    try evening.send("/group/microphones/mute", 1)
    #expect(try evening.surface.value("/group/microphones/on") == .int32(1))
    #expect(try evening.surface.value("/session/show/stream/vocals/mute") == .int32(0))
    try expect(
      evening,
      [
        Self.singer: Self.silence, Self.kick: Self.silence, Self.snare: Self.silence,
        Self.choir: Self.silence,
      ],
      "no microphone is heard, tracks and click go on")
    try evening.send("/group/microphones/mute", 0)
    try expect(evening, [Self.choir: Self.silence], "the guitarist still does not sing")
    try evening.send("/session/show/stream/choir/mute", 0)
    try expect(evening, [:], "all is as before")
  }

  @Test(
    "Band with four musicians: the talkback lowers all else in the ears alone, and its microphone closes when its surface leaves"
  )
  func talkback() async throws {
    let evening = try await evening()
    let tablet = try evening.open(talkback: "talkback", as: "director")
    let dimmed = Self.mix.mapValues { levels in
      levels.enumerated().map { index, level in (2...9).contains(index) ? level.map { $0 - 20 } : level }
    }
    try expect(
      evening, dimmed.merging([Self.director: Self.at(nil, -20, -20, -20, -20)]) { $1 },
      "the director, and less of all else")
    #expect(try evening.surface.value("/output/bassist/talkback") == .int32(1))
    #expect(try evening.surface.value("/output/pa/talkback") == .int32(0))
    try evening.leave(tablet, until: "/talkback/talkback/on")
    try expect(evening, [:], "the microphone is closed")
  }

  @Test(
    "Band with four musicians: a solo is heard in the engineer's phones and nowhere else, whatever faders and mutes do, until its surface leaves"
  )
  func solo() async throws {
    let evening = try await evening()
    try evening.surface.send("/session/show/stream/vocals/mute", 1)
    try evening.send("/session/show/stream/snare/gain", -20.0)
    let rest: [Int: [Int?]] = [
      Self.singer: Self.silence, Self.snare: Self.at(-49, -29, nil, nil, nil),
    ]
    try expect(evening, rest, "the singer is muted, the snare drum turned down in the PA")
    let desk = try ControlSurface(port: evening.router.port)
    try desk.send("/hello", "engineer")
    try desk.send("/session/show/stream/vocals/solo", 1)
    try evening.settle()
    let singer = [Self.singer: Self.at(nil, nil, nil, nil, nil, phones: -20)]
    try expect(evening, rest.merging(singer) { $1 }, "the muted singer, before mute and fader")
    try desk.send("/group/drums/solo", 1)
    try evening.settle()
    try expect(
      evening,
      [
        Self.singer: Self.at(nil, nil, nil, nil, nil, phones: -20),
        Self.kick: Self.at(-26, -29, nil, nil, -26, phones: -20),
        Self.snare: Self.at(-49, -29, nil, nil, nil, phones: -20),
      ], "solos add")
    try desk.send("/solo/clear")
    try desk.send("/output/pa/solo", 1)
    try evening.settle()
    try evening.expect(
      at: Self.box,
      [
        Self.tracks: Self.at(-20, -26, -30, -30, -30, phones: -20),
        Self.click: Self.at(nil, -23, -40, -32, -26),
        Self.kick: Self.at(-26, -29, nil, nil, -26, phones: -26),
      ], "what the PA plays")
    try evening.leave(desk, until: "/solo/on")
    try expect(evening, rest, "the engineer's surface has left, and took its solos along")
  }

  @Test(
    "Band with four musicians: dim lowers the PA alone, and the lower microphone of the snare drum is turned round"
  )
  func sections() async throws {
    let evening = try await evening()
    try evening.send("/output/pa/dim", 1)
    try expect(
      evening,
      Self.mix.mapValues { levels in
        levels.enumerated().map { index, level in index < 2 ? level.map { $0 - 20 } : level }
      }, "the ears stay")
    try evening.send("/output/pa/dim", 0)
    // The same sound at both microphones, which the lower one would hear upside down. Its period is a part of every period of the server, so both
    // are in phase whenever they begin.
    try evening.play(Self.box, 5, "sine \(Self.snare) -20")
    try expect(evening, [Self.snare: Self.silence], "one microphone is turned round")
    try evening.send("/input/kit/polarity", "none")
    try expect(evening, [Self.snare: Self.at(-23, -23, nil, nil, nil)], "both add up")
  }
}
