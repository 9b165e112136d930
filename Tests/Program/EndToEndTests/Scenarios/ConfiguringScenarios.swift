import OSC
import Testing

extension Scenarios {
  /// Categories, modes, options and policies: which may be combined, and their values when read.
  @Suite struct Configuring {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test(
      "A01: a new session is solo ambient, default, without options, inactive, and causes no event")
    func a01() throws {
      try rig.surface.send("/session/create", "a")
      rig.sessions.append("a")
      #expect(try rig.text("/session/a/category") == "soloAmbient")
      #expect(try rig.text("/session/a/mode") == "default")
      #expect(try rig.text("/session/a/options") == "none")
      #expect(try rig.options(of: "a") == [])
      #expect(try rig.text("/session/a/policy") == "default")
      #expect(try rig.number("/session/a/policy/index") == 0)
      #expect(try !rig.isActive("a"))
      #expect(try rig.text("/session/a/route").contains("out:"))
      try rig.expectEvents([:], hints: true)
    }

    @Test("A02: ducking others implies mixing with them")
    func a02() throws {
      try rig.session("a", .soloAmbient)
      try rig.set("a", .playback, .default, .duck)
      #expect(try rig.options(of: "a") == [.mix, .duck])
      #expect(try rig.text("/session/a/options") == "mixWithOthers+duckOthers")
    }

    @Test("A03: interrupting spoken audio contains mixing, and its lone bit is refused")
    func a03() throws {
      try rig.session("a", .soloAmbient)
      try rig.set("a", .playback, .default, .interruptSpoken)
      #expect(try rig.options(of: "a") == .interruptSpoken)
      #expect(try rig.text("/session/a/options") == "interruptSpokenAudioAndMixWithOthers")
      try rig.expectRefused(.badParam, "/session/a/options/mask", 0x10)
    }

    @Test("A04: an ambient session may duck others")
    func a04() throws {
      try rig.playing("m", .playback, .default, .mix)
      try rig.session("a", .soloAmbient)
      try rig.set("a", .ambient, .default, .duck)
      try rig.activate("a")
      try rig.expectHeard(spk: ["a": 0, "m": rig.duck()])
    }

    @Test("A05: solo ambient cannot mix")
    func a05() throws {
      try rig.session("a")
      try rig.expectRefused(.badParam, "/session/a/set", Rig.configuration(.soloAmbient, .default, .mix))
    }

    @Test(
      "A06: an option that the category does not have is refused",
      arguments: [
        (Category.record, Options.duck), (.playback, .toSpeaker), (.playback, .bluetoothHFP),
        (.multiRoute, .bluetoothA2DP), (.multiRoute, .airPlay), (.multiRoute, .bluetoothHFP),
      ])
    func a06(category: Category, options: Options) throws {
      try rig.session("a")
      try rig.expectRefused(.badParam, "/session/a/set", Rig.configuration(category, .default, options))
    }

    @Test("A07: an option that is always on is accepted and changes nothing")
    func a07() throws {
      try rig.session("a", .soloAmbient)
      try rig.set("a", .playback, .default, .bluetoothA2DP)
      #expect(try rig.text("/session/a/category") == "playback")
      #expect(try rig.options(of: "a") == [])
    }

    @Test("A08: voice chat implies the hands-free profile")
    func a08() throws {
      try rig.session("a", .playAndRecord, .voiceChat)
      #expect(try rig.options(of: "a") == .bluetoothHFP)
    }

    @Test("A09: video chat implies the hands-free profile and the speaker")
    func a09() throws {
      try rig.session("a", .playAndRecord, .videoChat)
      #expect(try rig.options(of: "a") == [.bluetoothHFP, .toSpeaker])
    }

    @Test(
      "A10: a mode that the category does not have is refused, and the sound goes on",
      arguments: [Mode.voiceChat, .videoChat, .videoRecording, .dualRoute])
    func a10(mode: Mode) throws {
      try rig.playing("a")
      try rig.expectRefused(.badParam, "/session/a/mode", .string(mode.rawValue))
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A11: a mode that a new category forbids becomes the default mode, and options are cleared")
    func a11() throws {
      try rig.session("a", .playAndRecord, .voiceChat, [.mix, .bluetoothHFP, .toSpeaker])
      try rig.surface.send("/session/a/category", "playback")
      #expect(try rig.text("/session/a/mode") == "default")
      #expect(try rig.options(of: "a") == [])
    }

    @Test("A12: setting the same category clears the options")
    func a12() throws {
      try rig.session("a", .playAndRecord, .default, Options(rawValue: 0x2D))
      #expect(try rig.options(of: "a") == Options(rawValue: 0x2D))
      try rig.surface.send("/session/a/category", "playAndRecord")
      #expect(try rig.options(of: "a") == [])
    }

    @Test("A13: the option for muted microphones needs an input")
    func a13() throws {
      try rig.session("a", .soloAmbient)
      try rig.expectRefused(
        .badParam, "/session/a/set", Rig.configuration(.playback, .default, .mutedMicrophone))
      try rig.set("a", .playAndRecord, .default, .mutedMicrophone)
      #expect(try rig.options(of: "a") == .mutedMicrophone)
    }

    @Test("A14: long-form audio is for playback without options")
    func a14() throws {
      try rig.session("a", .playAndRecord)
      try rig.expectRefused(.badParam, "/session/a/policy", "longFormAudio")
      try rig.set("a", .playback, .default, .mix)
      try rig.expectRefused(.badParam, "/session/a/policy", "longFormAudio")
      try rig.set("a", .playback, .moviePlayback)
      try rig.surface.send("/session/a/policy", "longFormAudio")
      #expect(try rig.text("/session/a/policy") == "longFormAudio")
    }
  }
}
