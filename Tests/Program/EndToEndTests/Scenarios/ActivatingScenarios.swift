import OSC
import TestKit
import Testing

extension Scenarios {
  /// Activation: which sessions may become active, beside which others, and how they end.
  @Suite struct Activating {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test("A15: a session that activates is heard at the speaker alone, without a step")
    func a15() throws {
      try rig.session("a")
      let sound = try rig.listen { try rig.activate("a") }
      try rig.expectEvents([:])
      sound.expectMove("a", from: nil, to: 0, within: try rig.number("/ramp"))
      sound.expectSteady("a", at: .ear, nil)
      sound.expectNoClick()
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A16: a playback session interrupts another, which is told before the newcomer is confirmed")
    func a16() throws {
      try rig.playing("a")
      try rig.session("b")
      try rig.activate("b")
      try rig.expectEvents(["a": [.began(0)]], beforeReply: true)
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["b": 0])
      #expect(try !rig.isActive("a"))
    }

    @Test("A17: a playback session does not interrupt an ambient one, which gets a hint")
    func a17() throws {
      try rig.playing("a", .ambient)
      try rig.playing("b")
      try rig.expectEvents(["a": [.hint(1)]], hints: true)
      try rig.expectHeard(spk: ["a": 0, "b": 0])
    }

    @Test("A18: a mixable session disturbs no other session")
    func a18() throws {
      try rig.playing("a")
      try rig.session("b", .playback, .default, .mix)
      let sound = try rig.listen { try rig.activate("b") }
      sound.expectSteady("a", 0)
      sound.expectNoClick()
      try rig.expectEvents([:], hints: true)
      try rig.expectHeard(spk: ["a": 0, "b": 0])
    }

    @Test("A19: a mixable session is not interrupted, and gets a hint")
    func a19() throws {
      try rig.playing("a", .playback, .default, .mix)
      try rig.playing("b")
      try rig.expectEvents(["a": [.hint(1)]], hints: true)
      try rig.expectHeard(spk: ["a": 0, "b": 0])
    }

    @Test("A20: no session records during a call")
    func a20() throws {
      try rig.calling()
      try rig.session("a", .playAndRecord)
      try rig.expectRefused(.insufficientPriority, "/session/a/active", 1)
      try rig.set("a", .record)
      try rig.expectRefused(.insufficientPriority, "/session/a/active", 1)
      try rig.expectHeard(ear: ["call": 0])
    }

    @Test("A21: playback is admitted during a call")
    func a21() throws {
      try rig.calling()
      try rig.session("a")
      let sound = try rig.listen { try rig.activate("a") }
      sound.expectSteady("call", at: .ear, 0)
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["a": 0], ear: ["call": 0])
    }

    @Test("A22: nothing interrupts from the background")
    func a22() throws {
      try rig.playing("b")
      try rig.session("a")
      try rig.surface.send("/session/a/foreground", 0)
      try rig.expectRefused(.cannotInterruptOthers, "/session/a/active", 1)
      try rig.expectHeard(spk: ["b": 0])
    }

    @Test("A23: a mixable session may start in the background")
    func a23() throws {
      try rig.playing("b")
      try rig.session("a", .playback, .default, .mix)
      try rig.surface.send("/session/a/foreground", 0)
      try rig.activate("a")
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["a": 0, "b": 0])
    }

    @Test("A24: an ambient session does not start in the background")
    func a24() throws {
      try rig.session("a", .ambient)
      try rig.surface.send("/session/a/foreground", 0)
      try rig.expectRefused(.cannotStartPlaying, "/session/a/active", 1)
    }

    @Test("A25: a mixable session does not begin to record in the background, and plays on")
    func a25() throws {
      try rig.playing("a", .playAndRecord, .default, .mix, input: false)
      try rig.surface.send("/session/a/foreground", 0)
      try rig.expectRefused(.cannotStartRecording, "/session/a/io/input", "running")
      try rig.expectHeard(ear: ["a": 0])
    }

    @Test(
      "A26: a session that deactivates while it plays fades out, and /system/deactivation decides the answer")
    func a26() throws {
      try rig.playing("a")
      let sound = try rig.listen { try rig.deactivate("a") }
      sound.expectMove("a", from: 0, to: nil, within: try rig.number("/ramp"))
      sound.expectNoClick()
      try rig.expectEvents([:])

      try rig.change("/system/deactivation", "reports")
      try rig.activate("a")
      let reported = try rig.listen {
        let refusal = #expect(throws: ControlSurface.Refusal.self) {
          try rig.surface.send("/session/a/active", 0, 1)
        }
        #expect(refusal?.code == RefusalCode.isBusy.number && refusal?.symbol == RefusalCode.isBusy.symbol)
      }
      reported.expectMove("a", from: 0, to: nil, within: try rig.number("/ramp"))
      reported.expectNoClick()
      try rig.expectEvents(["a": [.inactive(.app)]])

      try rig.surface.send("/system/deactivation", "refuses")
      try rig.activate("a")
      try rig.expectRefused(.isBusy, "/session/a/active", 0, 1)
      try rig.declare("output", of: "a", running: false)
      try rig.deactivate("a")
    }

    @Test("A27: notifying others is a flag of deactivation alone")
    func a27() throws {
      try rig.session("a")
      try rig.expectRefused(.badParam, "/session/a/active", 1, 1)
    }

    @Test("A28: repeating an activation or a deactivation is a success without event or gap")
    func a28() throws {
      try rig.playing("a")
      let sound = try rig.listen { try rig.surface.send("/session/a/active", 1) }
      sound.expectSteady("a", 0)
      sound.expectNoClick()
      try rig.expectEvents([:])
      try rig.deactivate("a")
      try rig.surface.send("/session/a/active", 0, 1)
      try rig.expectEvents([:])
      try rig.expectHeard()
    }

    @Test("A37: a session that deactivates itself is not interrupted")
    func a37() throws {
      try rig.playing("a")
      try rig.surface.send("/session/a/active", 0, 1)
      try rig.expectEvents(["a": [.inactive(.app)]])
      #expect(try rig.number("/session/a/interrupted") == 0)
    }

    @Test("A50: without an input port nothing can record")
    func a50() throws {
      try rig.session("a", .record)
      try rig.change("/input/mic/plugged", 0)
      try rig.forgetEvents()
      try rig.expectRefused(.resourceNotAvailable, "/session/a/active", 1)
    }

    @Test("manual: a program that connects is not heard until a command activates its session")
    func manual() throws {
      try rig.session("a")
      #expect(try rig.text("/session/a/activate") == "manual")
      try rig.expectHeard()
      try rig.expectEvents([:])
      try rig.activate("a")
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A session that is made again at once after its removal is heard")
    func again() throws {
      for _ in 0..<10 {
        try rig.playing("a")
        try rig.expectHeard(spk: ["a": 0])
        try rig.surface.send("/session/remove", "a")
        try rig.surface.sync()
        // Only for as long as the session fades out.
        try rig.frames(1_200)
      }
    }

    @Test("signal: the first sample is heard, and so is what is too soft to activate")
    func firstSample() throws {
      try rig.bySignal("a")
      // A busy machine may hold the sound up for longer than 0.3 s.
      try rig.surface.send("/session/a/activate/hold", 30)
      try rig.hearDirectly("a")
      let recorder = DeviceRecorder(stage: rig.stage, folder: rig.folder)
      let heard = try recorder.hear(["spk", "Tape"], clock: rig.clock) {
        try rig.frames(4_800)
        try rig.program("a", plays: Rig.sine("a", -60))
        try rig.frames(240_000)
        try rig.expectEvents([:])
        try rig.program("a", plays: Rig.sine("a"))
        try rig.awaitEvent(.active(.system), of: "a", seconds: 1)
        try rig.frames(48_000)
      }
      // One recording ends a little before the other.
      let frames = min(heard[0][0].count, heard[1][0].count)
      let loudest = heard[1][0].prefix(frames).map(abs).max() ?? 0
      #expect(loudest > 0.09)
      #expect(
        SignalCheck.firstDifference(heard[0][0].prefix(frames), heard[1][0].prefix(frames)) == nil)
      try rig.expectEvents(["a": [.active(.system)]])
    }
  }
}
