import OSC
import TestKit
import Testing

extension Scenarios {
  /// Interruptions: the events at their beginning and end, and the sessions that may go on.
  @Suite struct Interrupting {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test(
      "A29: an interrupted session is recommended to resume when the other one ends with notice, and resumes itself"
    )
    func a29() throws {
      try rig.interrupted("a", by: "b")
      try rig.deactivate("b", notify: true)
      try rig.expectEvents(["a": [.ended(1)]])
      try rig.expectHeard()
      #expect(try !rig.isActive("a"))
      try rig.activate("a")
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A30: if the other session ends without notice, resuming is not recommended")
    func a30() throws {
      try rig.interrupted("a", by: "b")
      try rig.deactivate("b", notify: false)
      try rig.expectEvents(["a": [.ended(0)]])
      try rig.expectHeard()
    }

    @Test("A32: in a chain of interruptions, only the session that was interrupted last is told of the end")
    func a32() throws {
      try rig.interrupted("a", by: "b")
      try rig.playing("c")
      try rig.expectEvents(["b": [.began(0)]])
      try rig.deactivate("c")
      try rig.expectEvents(["b": [.ended(1)]])
      try rig.activate("b")
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["b": 0])
      try rig.deactivate("b")
      try rig.expectEvents(["a": [.ended(1)]])
    }

    @Test(
      "A32: if an interrupted session ends, the session that it had interrupted waits for its interrupter")
    func a32Handed() throws {
      try rig.interrupted("a", by: "b")
      try rig.playing("c")
      try rig.expectEvents(["b": [.began(0)]])
      try rig.surface.send("/session/remove", "b")
      try rig.forgetEvents()
      try rig.deactivate("c")
      try rig.expectEvents(["a": [.ended(1)]])
    }

    @Test("A33: an interrupted session that activates interrupts its interrupter")
    func a33() throws {
      try rig.interrupted("a", by: "b")
      try rig.activate("a")
      try rig.expectEvents(["b": [.began(0)]])
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A34: a prompt interrupts spoken audio and ducks the rest for as long as it is active")
    func a34() throws {
      try rig.playing("a", .playback, .spokenAudio)
      try rig.playing("m", .playback, .default, .mix)
      try rig.forgetEvents()
      try rig.playing("b", .playback, .default, [.interruptSpoken, .duck])
      try rig.expectEvents(["a": [.began(0)]])
      try rig.expectHeard(spk: ["b": 0, "m": rig.duck()])
      let sound = try rig.listen { try rig.deactivate("b", notify: true) }
      try rig.expectEvents(["a": [.ended(1)]])
      sound.expectMove("m", from: try rig.duck(), to: 0, within: try rig.number("/duck/release"))
      try rig.expectHeard(spk: ["m": 0])
    }

    @Test("A35: a session that only ducks does not interrupt spoken audio")
    func a35() throws {
      try rig.playing("a", .playback, .spokenAudio)
      try rig.playing("b", .playback, .default, .duck)
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["a": rig.duck(), "b": 0])
    }

    @Test("A36: the beginning carries a reason and no options, the end whether to resume and no reason")
    func a36() throws {
      try rig.playing("a")
      try rig.playing("b")
      #expect(try rig.number("/session/a/interrupted") == 1)
      try rig.deactivate("b")
      #expect(try rig.number("/session/a/interrupted") == 0)
      let payloads = try rig.forgetEvents().filter { $0.address == "/event/interruption" }.map {
        Array($0.arguments.dropFirst())
      }
      #expect(payloads == [["a", "began", 0, "b"], ["a", "ended", 1, "b"]])
    }

    @Test(
      "A89: a hardware mute interrupts recording sessions, and no session starts to record during the mute")
    func a89() throws {
      try rig.playing("a", .playAndRecord)
      try rig.change("/input/mic/hardware", 1)
      try rig.expectEvents(["a": [.began(2)]])
      try rig.expectHeard()
      try rig.declare("input", of: "a", running: false)
      try rig.activate("a")
      try rig.expectRefused(.cannotStartRecording, "/session/a/io/input", "running")
      try rig.expectHeard(ear: ["a": 0])
      try rig.surface.send("/input/mic/hardware", 0)
      try rig.declare("input", of: "a", running: true)
    }

    @Test("A90: a session that overrides the hardware mute stays active and records exact silence")
    func a90() throws {
      try rig.playing("a", .playAndRecord, .default, .mutedMicrophone)
      try rig.surface.send("/session/a/capture/to", "Tape:in_*")
      try rig.stage.do("await-connection \(rig.router.clientName):a.capture_1 Tape:in_1")
      try rig.forgetEvents()
      let sine = try #require(Rig.sines["mic"])
      func recorded() throws -> (peak: Double, tone: Double) {
        try rig.surface.sync()
        try rig.frames(9_600)
        let answer = "level Tape 1 \(sine) 0.1"
        return (try rig.stage.value("peak", of: answer), try rig.stage.value("tone", of: answer))
      }
      #expect(abs(try recorded().tone - Rig.level) <= Rig.tolerance)
      try rig.change("/input/mic/hardware", 1)
      try rig.expectEvents([:])
      #expect(try rig.isActive("a"))
      try rig.expectHeard(ear: ["a": 0])
      // The level of nothing but zeros.
      #expect(try recorded().peak == -200)
    }

    @Test("A91: a ringing call interrupts at once, or only when it is accepted if the session prefers so")
    func a91() throws {
      try rig.playing("a", .record)
      try rig.interruption("phone", "ringing", true)
      try rig.expectEvents(["a": [.began(0)]])
      try rig.interruption("phone", "on", true)
      try rig.expectEvents([:])
      try rig.surface.send("/interruption/phone/ringing", 0)
      try rig.surface.send("/interruption/clear")
      try rig.expectEvents(["a": [.ended(1)]])

      try rig.surface.send("/session/a/alerts/ignore", 1)
      try rig.activate("a")
      try rig.interruption("phone", "ringing", true)
      try rig.expectEvents([:])
      #expect(try rig.isActive("a"))
      try rig.interruption("phone", "on", true)
      try rig.expectEvents(["a": [.began(0)]])
    }

    @Test("A98: a call interrupts mixable sessions, too")
    func a98() throws {
      try rig.playing("a", .ambient)
      try rig.playing("m", .playback, .default, .mix)
      try rig.forgetEvents()
      try rig.calling()
      try rig.expectEvents(["a": [.began(0)], "m": [.began(0)]])
      try rig.expectHeard(ear: ["call": 0])
      try rig.deactivate("call", notify: true)
      try rig.expectEvents(["a": [.ended(1)], "m": [.ended(1)]])
      try rig.expectHeard()
    }

    @Test("A session that was refused because of a call is recommended to try again after the call")
    func refusedAndRecommended() throws {
      try rig.session("a", .playAndRecord)
      try rig.calling()
      try rig.forgetEvents()
      try rig.expectRefused(.insufficientPriority, "/session/a/active", 1)
      try rig.deactivate("call", notify: true)
      try rig.expectEvents(["a": [.recommend(1)]])
      try rig.activate("a")
      try rig.expectHeard(ear: ["a": 0])
    }

    @Test(
      "resume: an interrupted session is brought back never, when it is recommended, or always",
      arguments: ["never", "recommended", "always"], [true, false])
    func resume(setting: String, notify: Bool) throws {
      try rig.interrupted("a", by: "b")
      try rig.surface.send("/session/a/resume", .string(setting))
      try rig.deactivate("b", notify: notify)
      let returns = setting == "always" || setting == "recommended" && notify
      try rig.expectEvents(["a": [.ended(notify ? 1 : 0)] + (returns ? [.active(.system)] : [])])
      try rig.expectHeard(spk: returns ? ["a": 0] : [:])
    }
  }
}
