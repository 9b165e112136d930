import OSC
import TestKit
import Testing

extension Scenarios {
  /// The hardware settings that sessions prefer, and the actual ones.
  @Suite struct Hardware {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test("A82: a session may prefer a rate and a period, and reads those of the server")
    func a82() throws {
      try rig.playing("a")
      let period = try rig.stage.value("period", of: "period") / Double(Sound.rate)
      let sound = try rig.listen {
        try rig.surface.send("/session/a/rate/preferred", 96_000.0)
        try rig.surface.send("/session/a/period/preferred", 0.001)
      }
      sound.expectSteady("a", 0)
      #expect(try rig.number("/session/a/rate") == 48_000)
      #expect(abs(try rig.number("/session/a/period") - period) < 1e-6)
      #expect(try rig.stage.value("period", of: "period") == period * Double(Sound.rate))
      try rig.expectEvents([:])
    }

    @Test("A83: a session may prefer at most as many channels as its route has, in a direction that it has")
    func a83() throws {
      try rig.playing("a")
      let most = try rig.number("/session/a/channels/out/maximum")
      #expect(most == 2)
      try rig.expectRefused(.badParam, "/session/a/channels/out/preferred", 0)
      try rig.expectRefused(.badParam, "/session/a/channels/out/preferred", .int32(Int32(most) + 1))
      try rig.expectRefused(.incompatibleCategory, "/session/a/channels/in/preferred", 1)
      try rig.surface.send("/session/a/channels/out/preferred", .int32(Int32(most)))
      #expect(try rig.number("/session/a/channels/out/preferred") == most)
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A84: a session that is not active cannot set preferred channels")
    func a84() throws {
      try rig.session("a")
      try rig.expectRefused(.sessionNotActive, "/session/a/channels/out/preferred", 2)
    }

    @Test("A85: the level of an input is kept between 0 and 1")
    func a85() throws {
      try rig.playing("a", .playAndRecord)
      try rig.surface.send("/session/a/input/level", 1.5)
      #expect(try rig.number("/session/a/input/level") == 1)
      try rig.expectCaptured("a", "mic")
      try rig.surface.send("/session/a/input/level", -1.0)
      #expect(try rig.number("/session/a/input/level") == 0)
      try rig.expectCaptured("a", nil)
      try rig.expectEvents([:])
    }

    @Test("A86: a session that only plays has no input channels and no input latency")
    func a86() throws {
      try rig.playing("a")
      #expect(try rig.number("/session/a/channels/in/maximum") == 0)
      #expect(try rig.number("/session/a/latency/in") == 0)
    }

    @Test("A69: a session with several ports has the channels of all of them")
    func a69Channels() throws {
      try rig.plug(.phones, .usb)
      try rig.playing("a", .multiRoute)
      #expect(try rig.number("/session/a/channels/out/maximum") == 6)
    }
  }
}
