import OSC
import TestKit
import Testing

/// A change that does not concern a stream must not cost or alter one of its samples.
///
/// The band counts frames at the USB interface, and a direct connection shows what it must be. Devices and programs that come
/// and go in JACK itself are in `HotplugTests`.
@Suite struct UnaffectedStreamTests {
  /// A change, and the change back.
  private struct Change {
    var name: String
    var commands: [(address: String, arguments: [OSCArgument])]

    init(_ name: String, _ address: String, _ values: OSCArgument...) {
      self.init(name, values.map { (address, [$0]) })
    }

    init(_ name: String, _ address: String, _ values: [OSCArgument]...) {
      self.init(name, values.map { (address, $0) })
    }

    init(_ name: String, _ commands: [(String, [OSCArgument])]) {
      (self.name, self.commands) = (name, commands)
    }
  }

  private static let music: [OSCArgument] = ["playback", "default", "mixWithOthers"]
  private static let talk: [OSCArgument] = ["playAndRecord", "default", "mixWithOthers"]

  private static let changes = [
    Change("headphones", "/output/headphones/plugged", 0, 1),
    Change("speaker", "/output/speaker/plugged", 0, 1),
    Change("microphone", "/input/mic/plugged", 0, 1),
    Change("part in last-in", "/output/headphones/auto", 0, 1),
    Change("hardware mute", "/input/mic/hardware", 1, 0),
    Change("data source", "/input/line/source", "back", "front"),
    Change("level of another output", "/output/headphones/gain", -20.0, 0.0),
    Change("mute of another output", "/output/headphones/mute", 1, 0),
    Change("delay of another output", "/output/headphones/delay", 0.1, 0.0),
    Change("ceiling of another output", "/output/headphones/ceiling", -20.0, 0.0),
    Change("level of an input", "/input/mic/gain", -20.0, 0.0),
    Change("another session is active", "/session/music/active", 0, 1),
    Change("category", "/session/music/set", ["ambient", "default", "none"], music),
    Change("category with input", "/session/talk/set", ["playback", "default", "mixWithOthers"], talk),
    Change("mode", "/session/talk/mode", "voiceChat", "default"),
    Change("options", "/session/music/options", "duckOthers", "none", "mixWithOthers"),
    Change("prefer a rate", "/session/music/rate/preferred", 96_000.0, 0.0),
    Change("prefer a period", "/session/music/period/preferred", 0.001, 0.0),
    Change("prefer channels", "/session/music/channels/out/preferred", 1, 2),
    Change("input gain", "/session/talk/input/level", 0.5, 1.0),
    Change("speaker override", "/session/talk/override", "speaker", "none"),
    Change("preferred input", "/session/talk/input/preferred", "mic", "line", "none"),
    Change("preferred output", "/session/music/output/preferred", "speaker", "headphones", "none"),
    Change("level of another session", "/session/music/gain", -20.0, 0.0),
    Change("mute of another session", "/session/music/mute", 1, 0),
    Change("output mute of another session", "/session/music/output/mute", 1, 0),
    Change("interruption", "/interruption/phone/on", 1, 0),
    Change("silent switch", "/silent", 1, 0),
    Change("duck level", "/duck/level", -30.0, -14.0),
    Change("duck scope", "/duck/scope", "shared", "heard", "all"),
    Change("sources of a stream", "/session/show/stream/click/from", "Nobody:*", "Metronome:out_*"),
    Change("route of a stream", "/session/show/stream/click/route", "none", "usb:3", "headphones"),
    Change("map of a stream", "/session/show/stream/click/to/headphones/map", "1:2", "1:1"),
    Change("tap of a stream", "/session/show/stream/click/to/headphones/tap", "pre", "input", "post"),
    Change("mute of a stream", "/session/show/stream/click/mute", 1, 0),
    Change("capture", "/session/talk/capture/to", "Nobody:*", "Recorder:in_*"),
    Change("mix-minus", "/session/talk/capture/session/music/on", 1, 0),
    Change(
      "a stream comes and goes",
      [("/session/music/stream/create", ["more", 2]), ("/session/music/stream/remove", ["more"])]),
    Change(
      "a session comes and goes",
      [
        ("/session/create", ["guest", "playback", "default", "mixWithOthers"]),
        ("/session/guest/active", [1]),
        ("/session/remove", ["guest"]),
      ]),
  ]

  /// The main job with a source of data sources, and two sessions of one output that never go to the interface.
  private static let preset = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "protected": true,
      "duckExempt": true, "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } },
      "click": { "channels": 1, "from": ["Metronome:out_*"], "to": { "headphones": 0 } } } },
    "music": { "category": "playback", "options": ["mixWithOthers"], "activate": "start", "unplug": "continue",
      "streams": { "main": { "channels": 1, "from": ["Choir:out_1"], "never": ["usb"] } } },
    "talk": { "category": "playAndRecord", "options": ["mixWithOthers"], "activate": "start", "unplug": "continue",
      "streams": { "main": { "channels": 1, "from": ["Choir:out_1"], "never": ["usb"] } },
      "capture": { "channels": 1, "to": ["Recorder:in_*"] } }
    """
  ).replacing(
    "\"inputs\": [\"USB Interface:capture_*\"]",
    with: """
      "sources": { "front": ["USB Interface:capture_1"], "back": ["USB Interface:capture_2"] }
      """)

  @Test("Changes for other streams cost the band not one sample")
  func changes() async throws {
    let house = try await House(
      Self.preset,
      programs: [
        "source Band 2 ramp", "source Metronome 1 sine 400 -20", "source Choir 1 sine 700 -20",
        "listener Recorder 1", "play Microphone 1 sine 1000 -20", "play \"USB Interface\" 1 sine 1300 -20",
      ])
    try house.connect()
    try house.freewheel()
    func difference(_ change: Change) throws -> Int? {
      let usb = try house.hear {
        for (address, arguments) in change.commands {
          try house.surface.send(address, arguments)
          try house.surface.sync()
          try house.stage.do("frames 24000")
        }
      }
      #expect(usb[0].count > 24_000 * change.commands.count)
      return SignalCheck.firstDifference(usb[0], usb[3])
    }
    for change in Self.changes {
      #expect(try difference(change) == nil, "\(change.name)")
      for session in ["show", "music", "talk"] {
        #expect(try house.surface.number("/session/\(session)/active") == 1, "\(change.name)")
      }
    }
    // The positive control: a change that concerns the band is found.
    for change in [
      Change("the band's own level", "/session/show/stream/band/gain", -1.0, 0.0),
      Change("the interface's own delay", "/output/usb/delay", 0.001, 0.0),
    ] {
      #expect(try difference(change) != nil, "\(change.name)")
    }
  }
}
