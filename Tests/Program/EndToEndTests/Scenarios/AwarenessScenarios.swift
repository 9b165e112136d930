import OSC
import Testing

extension Scenarios {
  /// Hints and prompts of sessions, and causes of silence that are not interruptions.
  @Suite struct Awareness {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    /// The hint and whether others play, as session A reads them.
    private func read() throws -> [Double] {
      [try rig.number("/session/a/hint"), try rig.number("/session/a/others")]
    }

    @Test("A46: an ambient session gets an event when primary audio of other sessions begins and ends")
    func a46() throws {
      try rig.playing("a", .ambient)
      #expect(try read() == [0, 0])
      try rig.playing("b")
      try rig.expectEvents(["a": [.hint(1)]], hints: true)
      #expect(try read() == [1, 1])
      try rig.deactivate("b")
      try rig.expectEvents(["a": [.hint(0)]], hints: true)
      #expect(try read() == [0, 0])
    }

    @Test("A47: mixable audio of other sessions causes no hint to be silent")
    func a47() throws {
      try rig.playing("a", .ambient)
      try rig.playing("b", .ambient)
      #expect(try read() == [0, 1])
      try rig.expectEvents([:], hints: true)
    }

    @Test("A48: a prompt is normal, short during a call, and none while speech is recognised")
    func a48() throws {
      try rig.session("a", .playback, .voicePrompt)
      #expect(try rig.text("/session/a/prompt") == "normal")
      try rig.calling()
      #expect(try rig.text("/session/a/prompt") == "short")
      try rig.deactivate("call")
      #expect(try rig.text("/session/a/prompt") == "normal")
      try rig.session("x", .record)
      try rig.surface.send("/session/x/capture/exclusive", 1)
      try rig.activate("x")
      #expect(try rig.text("/session/a/prompt") == "none")
    }

    @Test("A49: recording silences all sessions but an alert, and interrupts no mixable session")
    func a49() throws {
      try rig.playing("m", .playback, .default, .mix)
      try rig.playing("alert", .playback, .default, .mix, priority: .alert)
      try rig.session("b", .record)
      try rig.forgetEvents()
      let begin = try rig.listen { try rig.activate("b") }
      begin.expectSteady("alert", 0)
      begin.expectNoClick()
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["alert": 0])
      let end = try rig.listen { try rig.deactivate("b") }
      end.expectMove("m", from: nil, to: 0, within: try rig.number("/ramp"))
      end.expectSteady("alert", 0)
      end.expectNoClick()
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["alert": 0, "m": 0])
    }

    @Test("A87: the output mute silences only its own session, with a ramp")
    func a87() throws {
      try rig.playing("a")
      try rig.playing("m", .playback, .default, .mix)
      try rig.playing("alert", .playback, .default, .mix, priority: .alert)
      try rig.forgetEvents()
      for (value, levels) in [(1, (0.0, nil as Double?)), (0, (nil, 0))] as [(Int32, (Double?, Double?))] {
        let sound = try rig.listen { try rig.surface.send("/session/a/output/mute", .int32(value)) }
        sound.expectMove("a", from: levels.0, to: levels.1, within: try rig.number("/ramp"))
        sound.expectSteady("m", 0)
        sound.expectSteady("alert", 0)
        sound.expectNoClick()
        try rig.expectEvents(["a": [.outputMute(value)]])
      }
      try rig.expectHeard(spk: ["a": 0, "alert": 0, "m": 0])
    }

    @Test("A88: a voice chat has no output mute")
    func a88() throws {
      try rig.playing("a", .playAndRecord, .voiceChat)
      try rig.expectRefused(.badParam, "/session/a/output/mute", 1)
      try rig.expectHeard(ear: ["a": 0])
    }
  }
}
