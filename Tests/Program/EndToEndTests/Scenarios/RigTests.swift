import Foundation
import OSC
import StageKit
import TestKit
import Testing

extension Scenarios {
  /// Positive controls of the rig's checks: each must find its fault. Here programs are connected directly, without the router.
  @Suite struct RigChecks {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    /// Connects a program directly to the speaker: a hard step whenever the connection is made or removed.
    private func connect(_ id: String = "a") throws {
      try rig.stage.do("connect App-\(id):out_1 spk:playback_1")
      rig.afterwards { [rig] in _ = try? rig.stage.do("disconnect App-\(id):out_1 spk:playback_1") }
    }

    @Test(
      "A level is right, and a level that is half a decibel off, an unexpected session and a missing one are found"
    )
    func levels() throws {
      try rig.expectHeard()
      for channel in 1...2 {
        try rig.stage.do("connect App-a:out_1 spk:playback_\(channel)")
        rig.afterwards { [rig] in try rig.stage.do("disconnect App-a:out_1 spk:playback_\(channel)") }
      }
      try rig.expectHeard(spk: ["a": 0])
      try rig.program("a", plays: "sine 500 -20.4")
      try rig.expectHeard(spk: ["a": 0])
      try rig.program("a", plays: "sine 500 -20.6")
      withKnownIssue { try rig.expectHeard(spk: ["a": 0]) }
      withKnownIssue { try rig.expectHeard() }
      withKnownIssue { try rig.expectHeard(spk: ["a": -0.6, "b": 0]) }
      // Eighty decibels down it counts as silent.
      try rig.program("a", plays: "sine 500 -81")
      try rig.expectHeard()
    }

    @Test("A hard step of a sine is a click, and one that goes on is none")
    func clicks() throws {
      try connect()
      // Far enough from the step that the measurement does not contain it.
      try connect("x")
      let calm = try rig.listen {}
      calm.expectNoClick()
      calm.expectSteady("a", 0)
      let broken = try rig.listen { try rig.stage.do("disconnect App-a:out_1 spk:playback_1") }
      withKnownIssue { broken.expectNoClick() }
      withKnownIssue { broken.expectSteady("a", 0) }
      withKnownIssue { broken.expectUnchanged() }
      broken.expectSteady("x", 0)
      broken.expectMove("a", from: 0, to: nil, within: 0.02)
      withKnownIssue { broken.expectMove("a", from: 0, to: -14, within: 0.02) }
    }

    @Test("A gap of a period is a click and no steady sound")
    func gaps() throws {
      try connect()
      let gap = try rig.listen {
        try rig.stage.do("disconnect App-a:out_1 spk:playback_1")
        try rig.frames(256)
        try rig.stage.do("connect App-a:out_1 spk:playback_1")
      }
      withKnownIssue { gap.expectNoClick() }
      withKnownIssue { gap.expectSteady("a", 0) }
    }

    @Test("A click is excused at a jump of the server's clock, and nowhere else")
    func excusedClicks() {
      func sound(clickAt frame: Int, jumpAt jump: Int?) -> Sound {
        var samples = (0..<96_000).map {
          Float(0.1 * sin(2 * Double.pi * 500 * Double($0) / Double(Sound.rate)))
        }
        for index in frame..<frame + 30 { samples[index] = 0 }
        let jumps = jump.map { [ClockJump(frame: $0, missing: 256)] } ?? []
        return Sound([.spk: [samples]], continuity: [.spk: Continuity(jumps: jumps, period: 256)])
      }
      let excused = sound(clickAt: 48_000, jumpAt: 48_100).clicks
      #expect(excused.faults.isEmpty && excused.excused == [47_588..<48_612])
      #expect(sound(clickAt: 48_000, jumpAt: nil).clicks.faults.count == 1)
      #expect(sound(clickAt: 48_000, jumpAt: 20_000).clicks.faults.count == 1)
      #expect(sound(clickAt: 48_000, jumpAt: 20_000).clicks.excused.isEmpty)
    }

    @Test("A check for a refusal fails if the command is accepted, refused otherwise, or changes anything")
    func refusals() throws {
      try rig.expectRefused(RefusalCode(number: 4, symbol: "outOfRange"), "/output/spk/gain", 99)
      withKnownIssue { try rig.expectRefused(.badParam, "/output/spk/gain", 99) }
      withKnownIssue { try rig.expectRefused(.badParam, "/output/spk/gain", -6.0) }
      try rig.surface.send("/output/spk/gain", 0)
    }

    @Test("Missing events, surplus events and a wrong order are found")
    func events() throws {
      func tell(_ told: (String, Told)...) {
        for (session, what) in told { rig.told.append((session, what, OSCMessage("/event/none"))) }
      }
      tell(("a", .inactive(.system)), ("b", .active(.app)), ("a", .began(0)), ("a", .hint(1)))
      try rig.expectEvents(["a": [.began(0)], "b": [.active(.app)]])
      try rig.expectEvents([:])
      withKnownIssue { try rig.expectEvents(["a": [.began(0)]]) }
      tell(("a", .began(0)), ("a", .inactive(.system)))
      withKnownIssue { try rig.expectEvents(["a": [.began(0)]]) }
      tell(("a", .ended(1)), ("a", .recommend(1)), ("a", .recommend(1)))
      withKnownIssue { try rig.expectEvents(["a": [.ended(1)]]) }
      tell(("a", .hint(1)))
      withKnownIssue { try rig.expectEvents([:], hints: true) }
    }
  }
}
