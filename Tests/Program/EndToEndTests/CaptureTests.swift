import OSC
import TestKit
import Testing

/// Captures of sessions, and inputs as sources of streams.
@Suite struct CaptureTests {
  /// Two sessions. The capture of each contains the other session, not itself.
  private static let conversation = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
      "streams": { "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } } },
      "capture": { "channels": 2, "to": ["Recorder:playback_*"], "mix": { "talk": -6 } } },
    "talk": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
      "streams": { "main": { "channels": 1, "from": ["Metronome:out_1"], "to": { "headphones": 0 } } },
      "capture": { "channels": 1, "to": ["Return:playback_1"], "mix": { "show": 0, "input:mic": -12, "input:line": "off" } } }
    """)

  private static let programs = [
    "device Recorder 2 0", "device Return 1 0", "source Band 2 sine 400 -20",
    "source Metronome 1 sine 700 -20",
    "play Microphone 1 sine 1000 -20", "play \"USB Interface\" 1 sine 1300 -20",
    "play \"USB Interface\" 2 sine 1600 -20",
  ]

  /// The level of each tone at a channel in dB, relative to the source; tones that are absent have none.
  private func tones(_ house: House, _ device: String, _ channel: Int) throws -> [Int: Double] {
    try house.stage.do("frames 4800")
    var tones: [Int: Double] = [:]
    for frequency in [400, 700, 1_000, 1_300, 1_600] {
      let level = try house.stage.value("tone", of: "level \(device) \(channel) \(frequency) 0.2") + 20
      if level > -80 { tones[frequency] = (level * 100).rounded() / 100 }
    }
    return tones
  }

  @Test(
    "A capture contains what its mix names at their levels and nothing else, so that a muted host is silent")
  func mixMinus() async throws {
    let house = try await House(Self.conversation, programs: Self.programs)
    let surface = house.surface
    for device in ["Recorder", "Return"] { try house.stage.do("wait-signal \(device) 1 -40") }
    // The line is the input that came last. The mix does not name it; the other session's mono fills both channels.
    #expect(try surface.text("/session/show/route").hasPrefix("in:line"))
    #expect(
      try surface.text("/session/show/capture/why") == "contains talk at -6.0 dB; goes to Recorder:playback_*"
    )
    #expect(try tones(house, "Recorder", 1) == [700: -6])
    #expect(try tones(house, "Recorder", 2) == [700: -6])
    try surface.send("/session/talk/mute", 1)
    try surface.sync()
    #expect(try tones(house, "Recorder", 1) == [:])
    #expect(
      try surface.text("/session/show/capture/why")
        == "silent: talk at -6.0 dB is muted; goes to Recorder:playback_*")
    try surface.send("/session/talk/mute", 0)
    // The route's left and right stay where they are.
    try surface.send("/session/show/capture/route", 1)
    try surface.sync()
    #expect(try tones(house, "Recorder", 1) == [1_300: 0, 700: -6])
    #expect(try tones(house, "Recorder", 2) == [1_600: 0, 700: -6])
    // Stereo into one channel is summed at 1/sqrt(2) each; the band plays the same on both.
    #expect(try tones(house, "Return", 1) == [400: 3.01, 1_000: -12])

    try surface.send("/session/show/capture/session/talk/on", 0)
    try surface.send("/session/show/capture/input/mic/on", 1)
    try surface.send("/session/show/capture/input/line/on", 0)
    try surface.send("/session/show/stream/band/mute", 1)
    try surface.sync()
    #expect(try tones(house, "Recorder", 1) == [1_000: 0])
    #expect(try tones(house, "Return", 1) == [1_000: -12])
    let refusal = #expect(throws: ControlSurface.Refusal.self) {
      try surface.send("/session/show/capture/session/show/on", 1)
    }
    #expect(refusal?.code == -50)
    try surface.send("/session/show/active", 0)
    try house.stage.do("frames 9600")
    #expect(try house.stage.value("peak", of: "level Recorder 1 0.1") == -200)
  }

  @Test("An input feeds a stream with its gain, and a muted input feeds zeros")
  func input() async throws {
    let house = try await House(
      House.show.replacing("[\"Band:out_*\"]", with: "[\"input:mic:1\"]"),
      programs: ["source Metronome 1 silence", "play Microphone 1 ramp"])
    try house.connect("Microphone:capture_1")
    try house.freewheel()
    func expect(_ first: Double, _ last: Double, _ address: String, _ argument: OSCArgument) throws {
      let usb = try house.hear {
        try house.surface.send(address, argument)
        try house.surface.sync()
        try house.stage.do("frames 20000")
      }
      GainTrace(usb[0], of: usb[3]).expectMove(from: first, to: last, frames: 960)
    }
    let half = GainTrace.amplitude(-6)
    try expect(1, half, "/input/mic/gain", -6.0)
    try expect(half, 0, "/input/mic/mute", 1)
    try expect(0, half, "/input/mic/mute", 0)
    try expect(half, 1, "/input/mic/gain", 0.0)
    try expect(1, half, "/input/mic/1/gain", -6.0)
    try expect(half, 0, "/input/mic/1/mute", 1)
    try expect(0, half, "/input/mic/1/mute", 0)
    try expect(half, 1, "/input/mic/1/gain", 0.0)
    let usb = try house.hear { try house.stage.do("frames 20000") }
    #expect(SignalCheck.firstDifference(usb[0], usb[3]) == nil)
    // The input is available to streams, and can be unplugged like any device.
    try house.surface.subscribe("/event/*")
    try house.realTime()
    try house.stage.do("unplug Microphone")
    #expect(try house.surface.event("port") == ["in", "mic", 0])
    try house.stage.do("replug Microphone")
    #expect(try house.surface.event("port") == ["in", "mic", 1])
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
  }

  @Test("A tap before the fader ignores gains, and a tap at the input ignores mutes as well")
  func taps() async throws {
    let house = try await House(
      House.show.replacing(
        "\"usb:1-2\": 0", with: "\"usb:1-2\": 0, \"headphones\": { \"tap\": \"pre\" }"
      ).replacing(
        "\"to\": { \"headphones\": 0 }", with: "\"to\": { \"usb:3\": 0 }"),
      programs: ["source Band 2 sine 400 -20", "source Metronome 1 silence"])
    let stage = house.stage
    func level(_ device: String) throws -> Double {
      try stage.do("frames 4800")
      return (try stage.value("peak", of: "level \"\(device)\" 1 0.1") + 20).rounded()
    }
    try stage.do("wait-signal \"USB Interface\" 1 -21")
    try house.surface.send("/session/show/stream/band/gain", -20.0)
    try house.surface.send("/session/show/gain", -10.0)
    try house.surface.sync()
    #expect(try level("USB Interface") == -30)
    #expect(try level("Headphones") == 0)
    try house.surface.send("/session/show/mute", 1)
    try house.surface.sync()
    #expect(try level("USB Interface") == -180)
    #expect(try level("Headphones") == -180)
    try house.surface.send("/session/show/stream/band/to/headphones/tap", "input")
    try house.surface.sync()
    #expect(try level("Headphones") == 0)
    try house.surface.send("/session/show/active", 0)
    try house.surface.sync()
    #expect(try level("Headphones") == -180)
  }

  @Test(
    "Another data source replaces the first, at its own level, and sessions get a route change with reason 8"
  )
  func dataSource() async throws {
    let preset = """
      { "multiroute": 1, "ports": {
        "array": { "type": "usbAudio", "source": "front",
          "sources": { "front": ["USB Interface:capture_1"], "back": ["USB Interface:capture_2"] } } },
      "sessions": { "talk": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start",
        "capture": { "channels": 1, "to": ["Recorder:playback_1"] } } } }
      """
    let house = try await House(
      preset,
      programs: [
        "device Recorder 1 0", "play \"USB Interface\" 1 sine 400 -20",
        "play \"USB Interface\" 2 sine 1000 -20",
      ])
    let surface = house.surface
    try house.stage.do("wait-signal Recorder 1 -21")
    #expect(try tones(house, "Recorder", 1) == [400: 0])
    #expect(try surface.text("/input/array/sources") == "front,back")
    #expect(try surface.text("/input/array/source") == "front")
    try surface.subscribe("/event/*")
    try surface.send("/input/array/source", "back")
    let told = try surface.event("route")
    #expect(told.prefix(3) == ["talk", 8, "routeConfigurationChange"])
    #expect(told[3] == told[4] && told[4].text?.hasPrefix("in:array ") == true, "\(told)")
    // The gate closes, the connection changes, and the gate opens.
    try house.stage.do("await-connection \"USB Interface:capture_2\" multiroute:from-array_1")
    try house.stage.do("wait-signal Recorder 1 -21")
    try house.stage.do("frames 4800")
    #expect(try tones(house, "Recorder", 1) == [1_000: 0])
    let refusal = #expect(throws: ControlSurface.Refusal.self) {
      try surface.send("/input/array/source", "side")
    }
    #expect(refusal?.code == -50)
    #expect(try surface.text("/input/array/source") == "back")
    #expect(try !surface.takeAll().contains { $0.address == "/event/port" })
  }
}
