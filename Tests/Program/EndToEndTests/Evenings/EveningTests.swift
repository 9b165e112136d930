import TestKit
import Testing

/// Each shipped preset does what its page in `docs/guide/shows` promises.
@Suite struct EveningTests {
  @Test(
    "USB and headphones: the click is never in the PA, and an announcement ducks everything but the click")
  func usbAndHeadphones() async throws {
    let evening = try await Evening(
      "usb-and-headphones",
      [
        "device \"USB Interface\" 4 2", "device Headphones 2 0", "device Speaker 2 0",
        "source Band 2 sine 500 -20", "source Metronome 1 sine 700 -20", "source Foyer 1 sine 900 -20",
        "source Announcer 1 sine 1100 -20",
      ])
    try evening.expectAddresses(on: "usb-and-headphones")
    let silence: [Int?] = [nil, nil]
    try evening.expect(
      at: "USB Interface",
      [500: [-20, -20, nil, nil], 700: [nil, nil, nil, nil], 900: [nil, nil, nil, nil]])
    try evening.expect(at: "Headphones", [500: silence, 700: [-20, -20], 900: silence])
    try evening.expect(at: "Speaker", [500: silence, 700: silence, 900: [-20, -20], 1_100: silence])
    try evening.expectRefusal("/session/show/stream/click/to/usb/on", 1, symbol: "denied")
    try evening.send("/session/announce/active", 1)
    try evening.expect(at: "USB Interface", [500: [-34, -34, nil, nil]])
    try evening.expect(at: "Headphones", [700: [-20, -20]])
    try evening.expect(at: "Speaker", [900: [-34, -34], 1_100: [-20, -20]])
    try evening.send("/session/announce/active", 0)
    try evening.send("/interruption/phone/on", 1)
    try evening.expect(at: "USB Interface", [500: [-20, -20, nil, nil]], "no call interrupts the show")
    try evening.expect(at: "Speaker", [900: silence], "a call interrupts the foyer")
    try evening.send("/interruption/phone/on", 0)
    try evening.expect(at: "Speaker", [900: [-20, -20]])
  }

  @Test(
    "Band: the click is never in the PA, each musician has a mix before the faders, and talkback ducks the ears alone"
  )
  func bandWithClick() async throws {
    let box = "Scarlett 18i8 USB Pro"
    let evening = try await Evening(
      "band-with-click",
      files: [
        "set/tracks/one.flac": Evening.Tone(frequency: 500, level: -20),
        "set/click/one.flac": Evening.Tone(frequency: 700, level: -20),
      ],
      [
        "client \"\(box)\" device \((0...5).map { "playback_AUX\($0)" }.joined(separator: ",")) capture_AUX0,capture_AUX1"
      ])
    try evening.expectAddresses(on: "band-with-click")
    // The tracks, the click, the singer, the director.
    try evening.surface.send("/player/{tracks,click}/loops", -1)
    try evening.surface.send("/player/{tracks,click}/playing", 1)
    try evening.stage.do("play \"\(box)\" 1 sine 900 -20")
    try evening.play(box, 2, "sine 1100 -20")
    let mix: [Int: [Int?]] = [
      500: [-20, -20, -26, -26, -30, -30], 700: [nil, nil, -23, -23, -40, -40],
      900: [-23, -23, -32, -32, -20, -20], 1_100: [nil, nil, nil, nil, nil, nil],
    ]
    try evening.expect(at: box, mix)
    try evening.expectRefusal("/session/show/stream/click/to/pa/on", 1, symbol: "denied")
    try evening.expectRefusal("/output/drummer/gain", 3.0, symbol: "outOfRange")
    // A group fader: one button moves several faders, and the ears keep their mix.
    try evening.send("/session/show/stream/{tracks,vocals}/gain/inc", -6.0)
    try evening.expect(
      at: box,
      [
        500: [-26, -26, -26, -26, -30, -30], 700: [nil, nil, -23, -23, -40, -40],
        900: [-29, -29, -32, -32, -20, -20],
      ])
    try evening.send("/session/talkback/active", 1)
    try evening.expect(
      at: box,
      [
        500: [-26, -26, -46, -46, -50, -50], 700: [nil, nil, -23, -23, -40, -40],
        1_100: [nil, nil, -20, -20, -20, -20],
      ])
    try evening.send("/session/talkback/active", 0)
    // A mute group.
    try evening.send("/session/show/stream/{tracks,vocals}/mute", 1)
    try evening.expect(
      at: box, [500: [nil, nil, nil, nil, nil, nil], 700: [nil, nil, -23, -23, -40, -40]])
    try evening.send("/session/show/stream/{tracks,vocals}/mute", 0)
    // The cable falls out, and is plugged in again.
    try evening.happen("unplug \"\(box)\"", until: "port", "out", "pa", 0)
    try evening.happen("replug \"\(box)\"", until: "port", "out", "singer", 1)
    try evening.expect(
      at: box, [500: [-26, -26, -26, -26, -30, -30], 700: [nil, nil, -23, -23, -40, -40]])
  }

  @Test("DJ: the headphones hear a deck whose fader is down, as loud as before, until its cue is off")
  func djCue() async throws {
    let evening = try await Evening(
      "dj-cue", systemOutputs: 4, ["client Mixxx program - out_0,out_1,out_2,out_3"])
    try evening.expectAddresses(on: "dj-cue")
    for channel in [1, 2] { try evening.stage.do("play Mixxx \(channel) sine 500 -20") }
    for channel in [3, 4] { try evening.stage.do("play Mixxx \(channel) sine 700 -20") }
    try evening.settle()
    try evening.expect(at: "system", [500: [-20, -20, nil, nil], 700: [-20, -20, -30, -30]])
    try evening.send("/session/decks/stream/b/gain", -90.0)
    try evening.send("/session/decks/stream/b/mute", 1)
    try evening.expect(at: "system", [500: [-20, -20, nil, nil], 700: [nil, nil, -30, -30]])
    try evening.send("/session/decks/stream/a/to/phones/on", 1)
    try evening.send("/session/decks/stream/b/to/phones/on", 0)
    try evening.expect(at: "system", [500: [-20, -20, -30, -30], 700: [nil, nil, nil, nil]])
    try evening.expectRefusal("/output/phones/gain", 1.0, symbol: "outOfRange")
  }

  @Test(
    "Silent disco: each transmitter has its own music, an announcement reaches all, and nothing passes the maximum"
  )
  func silentDisco() async throws {
    let evening = try await Evening(
      "silent-disco", systemOutputs: 6,
      ["source Red 2 sine 500 -20", "source Green 2 sine 700 -20", "source Blue 2 sine 900 -20"])
    try evening.expectAddresses(on: "silent-disco")
    try evening.expect(
      at: "system",
      [
        500: [-23, -23, nil, nil, nil, nil], 700: [nil, nil, -23, -23, nil, nil],
        900: [nil, nil, nil, nil, -23, -23],
      ])
    try evening.expectRefusal("/session/disco/stream/red/to/green/on", 1, symbol: "denied")
    // No fader alone and no two faders together are louder than the music as it was made.
    try evening.expectRefusal("/output/red/gain", 0.5, symbol: "outOfRange")
    try evening.expectRefusal("/session/disco/stream/red/gain", 3.5, symbol: "outOfRange")
    try evening.send("/session/disco/stream/red/gain", 3.0)
    try evening.expectRefusal("/session/disco/gain", 1.0, symbol: "outOfRange")
    try evening.expect(at: "system", [500: [-20, -20, nil, nil, nil, nil]])
    // Music that is as loud as a file can be.
    try evening.play("Red", 1, "sine 500 0")
    let peak = try evening.peak(at: "system", 1)
    #expect(peak <= -6 && peak > -7, "the loudest sample of red is \(peak) dBFS")
    try evening.play("Red", 1, "sine 500 -20")
    try evening.happen("source Announcer 1 sine 1100 -20", until: "active", "announce", 1)
    try evening.expect(
      at: "system",
      [500: [-50, -50, nil, nil, nil, nil], 1_100: [-23, -23, -23, -23, -23, -23]])
    try evening.happen("unplug Announcer", until: "active", "announce", 0)
    try evening.expect(at: "system", [500: [-20, -20, nil, nil, nil, nil]])
  }

  @Test(
    "Kiosk: a television that is switched on later is used and nothing else, and a story lowers the loop until its end"
  )
  func kiosk() async throws {
    let (laptop, tv) = ("Built-in Audio Analog Stereo", "Built-in Audio Digital Stereo (HDMI)")
    let stereo = "device playback_FL,playback_FR -"
    let evening = try await Evening(
      "kiosk",
      files: [
        "loop.flac": Evening.Tone(frequency: 500, level: -6),
        "story.flac": Evening.Tone(frequency: 700, level: -20),
      ],
      ["client \"\(laptop)\" \(stereo)"])
    try evening.expect(at: laptop, [500: [nil, nil]])
    try evening.happen("client \"\(tv)\" \(stereo)", until: "port", "out", "tv", 1)
    try evening.expect(at: tv, [500: [-18, -18], 700: [nil, nil]])
    // A long story, until its last pass begins.
    try evening.send("/player/story/loops", -1)
    try evening.send("/player/story/play")
    try evening.expect(at: tv, [500: [-36, -36], 700: [-23, -23]])
    try evening.surface.send("/player/story/loops", 0)
    try evening.surface.event("active") { $0.starts(with: ["story", 0]) }
    try evening.settle()
    try evening.expect(at: tv, [500: [-18, -18], 700: [nil, nil]], "the story has ended")
    try evening.happen("unplug \"\(tv)\"", until: "port", "out", "tv", 0)
    try evening.expect(at: laptop, [500: [nil, nil]], "the loop waits for its television")
    try evening.happen("replug \"\(tv)\"", until: "port", "out", "tv", 1)
    try evening.expect(at: tv, [500: [-18, -18]])
  }
}
