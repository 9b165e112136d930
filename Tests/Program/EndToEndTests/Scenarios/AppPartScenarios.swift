import OSC
import TestKit
import Testing

extension RealTimeScenarios {
  /// JACK programs do not control sessions, so the router does what an app would do.
  @Suite struct AppPart {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    // MARK: activate

    @Test("start: the session activates with the router, and again when its program is back")
    func start() throws {
      let program = try rig.mortalProgram("a")
      try program.start()
      try rig.session("a")
      try rig.surface.send("/session/a/activate", "start")
      try rig.expectEvents(["a": [.active(.system)]])
      try rig.expectHeard(spk: ["a": 0])
      try program.kill()
      try rig.awaitEvent(.inactive(.system), of: "a", seconds: Rig.liveness + 0.5)
      try rig.forgetEvents()
      try program.start()
      try rig.awaitEvent(.active(.system), of: "a", seconds: 0.5)
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test(
      "connected: the session is active whenever its program is connected, also after the program was killed")
    func connected() throws {
      let program = try rig.mortalProgram("a")
      try rig.session("a")
      try rig.surface.send("/session/a/activate", "connected")
      try rig.expectEvents([:])
      for _ in 0..<2 {
        try program.start()
        try rig.awaitEvent(.active(.system), of: "a", seconds: 0.5)
        try rig.expectHeard(spk: ["a": 0])
        try program.kill()
        try rig.awaitEvent(.inactive(.system), of: "a", seconds: Rig.liveness + 0.5)
        try rig.expectEvents(["a": [.active(.system), .vanished, .inactive(.system)]])
      }
    }

    @Test(
      "signal: only what is above the threshold ducks, through a pause shorter than the hold, until the hold is over"
    )
    func threshold() throws {
      try rig.playing("m", .playback, .default, .mix)
      try rig.bySignal("a", .duck)
      try rig.program("a", plays: Rig.sine("a", -60))
      try rig.expectHeard(spk: ["a": -40, "m": 0])
      try rig.program("a", plays: Rig.sine("a"))
      try rig.awaitEvent(.active(.system), of: "a", seconds: 1)
      try rig.expectEvents(["a": [.active(.system)]])
      try rig.expectHeard(spk: ["a": 0, "m": rig.duck()])
      try rig.program("a", plays: "silence")
      try rig.frames(4_800)
      try rig.program("a", plays: Rig.sine("a"))
      try rig.frames(24_000)
      try rig.expectEvents([:])
      try rig.program("a", plays: "silence")
      #expect(try rig.awaitEvent(.inactive(.system), of: "a", seconds: 1) > 0.2)
      try rig.expectEvents(["a": [.inactive(.system)]])
      try rig.expectHeard(spk: ["m": 0])
    }

    @Test("Two sessions that start by their signals do not interrupt each other without end")
    func twoBySignal() throws {
      try rig.bySignal("a")
      try rig.bySignal("b")
      try rig.program("a", plays: Rig.sine("a"))
      try rig.awaitEvent(.active(.system), of: "a", seconds: 1)
      try rig.program("b", plays: Rig.sine("b"))
      try rig.awaitEvent(.active(.system), of: "b", seconds: 1)
      try rig.expectEvents(["a": [.active(.system), .began(0)], "b": [.active(.system)]])
      // A goes on playing, and is not heard; five times the hold pass.
      try rig.frames(72_000)
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["b": 0])
      // Not even when B has ended, because only a new beginning of sound starts a session.
      try rig.program("b", plays: "silence")
      try rig.awaitEvent(.inactive(.system), of: "b", seconds: 1)
      try rig.frames(24_000)
      try rig.expectEvents(["a": [.ended(1)], "b": [.inactive(.system)]])
      try rig.program("a", plays: "silence")
      try rig.frames(24_000)
      try rig.program("a", plays: Rig.sine("a"))
      try rig.awaitEvent(.active(.system), of: "a", seconds: 1)
      try rig.expectHeard(spk: ["a": 0])
    }

    // MARK: resume
    // MARK: lease

    @Test("lease: a session is active as long as alive messages arrive, and then ends with notice")
    func lease() throws {
      try rig.playing("a")
      try rig.playing("b")
      try rig.forgetEvents()
      try rig.surface.send("/session/b/lease", 0.4)
      for _ in 0..<8 {
        try rig.surface.send("/session/b/alive")
        try rig.frames(4_800)
      }
      try rig.expectEvents([:])
      try rig.surface.send("/session/b/alive")
      let seconds = try rig.awaitEvent(.inactive(.system), of: "b", seconds: 1)
      #expect((0.3...0.6).contains(seconds))
      try rig.expectEvents(["a": [.ended(1)], "b": [.inactive(.system)]])
      try rig.expectHeard()
    }
  }
}
