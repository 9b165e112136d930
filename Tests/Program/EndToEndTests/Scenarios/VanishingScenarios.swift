import OSC
import TestKit
import Testing

extension RealTimeScenarios {
  /// Programs that start late, and programs that are killed.
  @Suite struct Vanishing {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test("A31: a program that is killed ends its interruption, as if it had given notice")
    func a31() throws {
      let program = try rig.mortalProgram("b")
      try program.start()
      try rig.interrupted("a", by: "b")
      try program.kill()
      try rig.awaitEvent(.recommend(1), of: "a", seconds: Rig.liveness + 0.5)
      try rig.frames(9_600)
      try rig.expectEvents(["a": [.ended(1)], "b": [.inactive(.system)]])
      #expect(try !rig.isActive("b"))
      #expect(try rig.number("/session/a/interrupted") == 0)
      try rig.activate("a")
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A41: a duck ends when the ducker's program is killed")
    func a41() throws {
      let program = try rig.mortalProgram("b")
      try program.start()
      try rig.playing("a")
      try rig.session("b", .playback, .default, .duck)
      try rig.activate("b")
      try rig.expectHeard(spk: ["a": rig.duck(), "b": 0])
      let release = try rig.number("/duck/release")
      let limit = Rig.liveness + release
      let sound = try rig.listen(tail: 24_000 + Int(limit * Double(Sound.rate))) { try program.kill() }
      let (victim, ducker) = (sound.levels("a"), sound.levels("b"))
      let death = try #require(ducker.firstIndex { !Rig.matches($0, 0) })
      let back = try #require(victim.lastIndex { !Rig.matches($0, 0) })
      #expect(Double(back - death) * Double(Sound.step) / Double(Sound.rate) <= limit + 0.2)
      #expect(Rig.matches(victim[0], try rig.duck()) && Rig.matches(victim[victim.count - 1], 0))
      try rig.expectEvents(["b": [.inactive(.system)]])
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A97: a program that comes after its session is active is heard within 100 ms, without event")
    func a97() throws {
      let program = try rig.mortalProgram("a")
      try rig.session("a")
      try rig.activate("a")
      try rig.expectHeard()
      let sound = try rig.listen(tail: 9_600) {
        try program.start()
        let start = ContinuousClock.now
        try rig.stage.do("wait-signal spk 1 \(Rig.level - 1)")
        #expect(ContinuousClock.now - start < .milliseconds(100))
      }
      sound.expectMove("a", from: nil, to: 0, within: try rig.number("/ramp"))
      try rig.expectEvents([:])
    }
  }
}
