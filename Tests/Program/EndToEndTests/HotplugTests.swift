import OSC
import TestKit
import Testing

/// A device that disappears silences only its own streams, and a device that returns is heard again.
@Suite struct HotplugTests {
  /// Both programs count frames, so that each sample identifies its frame.
  private static let programs = ["source Band 2 ramp", "source Metronome 1 ramp"]

  @Test(
    "Headphones that are unplugged and plugged in again cost the USB interface not one sample, and fade in")
  func unplug() async throws {
    let house = try await House(programs: Self.programs)
    try house.connect()
    let surface = house.surface
    try surface.subscribe("/event/*")
    try house.stage.do("wait-signal Headphones 1 -90")
    try house.stage.do("record Headphones \(house.folder.file("headphones.wav")) 20")
    let usb = try house.hear {
      try house.stage.do("frames 4800")
      try house.stage.do("unplug Headphones")
      #expect(try surface.event("port") == ["out", "headphones", 0])
      #expect(
        try surface.event("route") == [
          "show", 2, "oldDeviceUnavailable", "in:line out:usb,headphones", "in:line out:usb",
        ])
      #expect(try surface.number("/output/headphones/available") == 0)
      // Levels that are set while the device is absent are heard when it is back.
      try surface.send("/session/show/stream/click/gain", -6.0)
      try house.stage.do("frames 4800")
      try house.stage.do("replug Headphones")
      #expect(try surface.event("port") == ["out", "headphones", 1])
      #expect(
        try surface.event("route") == [
          "show", 1, "newDeviceAvailable", "in:line out:usb", "in:line out:usb,headphones",
        ])
      try house.stage.do("wait-signal Headphones 1 -90")
      try house.stage.do("frames 9600")
    }
    usb.expectSame(0, as: 3)
    #expect(usb[2].allSatisfy { $0 == 0 })
    let rest = try surface.takeAll()
    #expect(!rest.contains { ["/event/port", "/event/route"].contains($0.address) }, "\(rest)")

    try house.stage.do("stop-record Headphones")
    let click = try house.heard("headphones.wav")[0]
    // At the end the gain is at rest, so each sample identifies its frame.
    let half = GainTrace.amplitude(-6)
    let last = Int((Double(click[click.count - 1]) / half * 16_777_216).rounded())
    let silence = try #require(click.lastIndex(of: 0))
    let played = (silence..<click.count).map { Float(last - (click.count - 1 - $0)) / 16_777_216 }
    GainTrace(Array(click[silence...]), of: played).expectMove(from: 0, to: half, frames: 960)
  }

  @Test(
    "A killed program and its devices disturb no other stream, and a stream whose source returns is heard again"
  )
  func killed() async throws {
    let house = try await House(programs: ["source Band 2 ramp"])
    try house.connect()
    var other: StageProcess? = try house.server.stage()
    try other?.do("source Metronome 1 ramp")
    try house.stage.do("await-connection Metronome:out_1 multiroute:show.click_1")
    try house.stage.do("wait-signal Headphones 1 -90")
    let usb = try house.hear {
      try house.stage.do("frames 4800")
      other?.kill()
      try house.stage.do("await-port Metronome:out_1 gone")
      try house.stage.do("frames 4800")
    }
    usb.expectSame(0, as: 3)
    // The stream's port lives as long as its session.
    #expect(try house.stage.names("ports").contains("multiroute:show.click_1"))
    other = try house.server.stage()
    try other?.do("source Metronome 1 ramp")
    try house.stage.do("wait-signal Headphones 1 -90")
  }

  @Test("A plug that JACK does not see can be unplugged and plugged in over OSC")
  func plugged() async throws {
    let house = try await House(programs: Self.programs)
    try house.surface.subscribe("/event/*")
    try house.surface.send("/output/headphones/plugged", 0)
    #expect(try house.surface.event("port") == ["out", "headphones", 0])
    #expect(try house.surface.event("route")[1] == 2)
    try house.stage.do("await-connection multiroute:to-headphones_1 Headphones:playback_1 gone")
    try house.surface.send("/output/headphones/plugged", 1)
    #expect(try house.surface.event("port") == ["out", "headphones", 1])
    try house.stage.do("await-connection multiroute:to-headphones_1 Headphones:playback_1")
    try house.stage.do("wait-signal Headphones 1 -90")
  }

  @Test("A preset with absent devices runs, the router reports these, and they are heard when they appear")
  func absent() async throws {
    let server = try await PrivateServer()
    let (stage, folder) = (try server.stage(), try TemporaryFolder())
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder,
      owners: [stage, server])
    let surface = try ControlSurface(port: router.port)
    #expect(try surface.text("/session/show/route") == "in:none out:none")
    let why = try surface.text("/session/show/why")
    #expect(why.contains("usb") && why.contains("headphones"), "\(why)")
    #expect(try surface.number("/output/usb/available") == 0)
    let said = router.child.errors.text
    #expect(said.contains("multiroute: output usb waits for USB Interface:playback_*"), "\(said)")
    #expect(said.contains("multiroute: input mic waits for Microphone:capture_*"), "\(said)")
    try surface.send("/output/usb/gain", -6.0)
    try surface.subscribe("/event/route")
    try stage.do("source Band 2 sine 997 0")
    try stage.do("device \"USB Interface\" 4 2")
    try stage.do("wait-signal \"USB Interface\" 1 -7")
    // On a busy machine the inputs may appear so much later that they are a second change.
    _ = try surface.event("route") { $0.last == "in:line out:usb" }
    try stage.do("frames 4800")
    #expect(abs(try stage.value("tone", of: "level \"USB Interface\" 1 997 0.2") + 6) < 0.01)
  }

  @Test(
    "A session with one output plays at the device that came last, but never at one that its guard forbids")
  func lastIn() async throws {
    let house = try await House(
      House.preset(
        """
        "music": { "category": "playback", "options": ["mixWithOthers"], "activate": "start", "unplug": "continue",
          "streams": { "main": { "channels": 2, "from": ["Band:out_*"] } } },
        "quiet": { "category": "playback", "options": ["mixWithOthers"], "activate": "start", "streams": {
          "main": { "channels": 1, "from": ["Metronome:out_*"], "never": ["headphones"] } } }
        """), programs: ["source Band 2 sine 997 -20", "source Metronome 1 sine 400 -20"])
    let (stage, surface) = (house.stage, house.surface)
    func tone(_ device: String, _ frequency: Int) throws -> Bool {
      try stage.do("frames 4800")
      return try stage.value("tone", of: "level \"\(device)\" 1 \(frequency) 0.1") > -21
    }
    // Of the devices at the start, the first in the preset counts as plugged in last.
    #expect(try surface.text("/session/music/route") == "in:none out:usb")
    try surface.subscribe("/event/*")
    try stage.do("unplug Headphones")
    try surface.event("port")
    try stage.do("replug Headphones")
    try surface.event("port")
    #expect(
      try surface.event("route") == [
        "music", 1, "newDeviceAvailable", "in:none out:usb", "in:none out:headphones",
      ])
    try stage.do("wait-signal Headphones 1 -21")
    #expect(try tone("Headphones", 997) && !tone("USB Interface", 997))
    #expect(try tone("USB Interface", 400) && !tone("Headphones", 400))
    try stage.do("unplug Headphones")
    #expect(
      try surface.event("route") == [
        "music", 2, "oldDeviceUnavailable", "in:none out:headphones", "in:none out:usb",
      ])
    #expect(try tone("USB Interface", 997) && tone("USB Interface", 400))
    #expect(try !surface.takeAll().contains { $0.address == "/event/route" })
    try surface.send("/session/music/output/preferred", "speaker")
    #expect(try surface.event("route") == ["music", 4, "override", "in:none out:usb", "in:none out:speaker"])
    #expect(try tone("Speaker", 997) && !tone("USB Interface", 997))
  }

  @Test(
    "Twenty plugs in two seconds, ten times over, end with the right routes and cost another device nothing")
  func storms() async throws { try await HotplugStorm().expectCalm(storms: 10) }
}
