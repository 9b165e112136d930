import SessionModel
import Testing

@Suite("Ducking: a stage of its own")
struct DuckingTests {
  /// A, a bed that mixes, and two duckers that are inactive.
  private func rig() throws -> Rig {
    var rig = try Rig()
    try rig.play("bed", .playback, 1)
    for id: SessionID in ["b", "c"] { try rig.make(id, .playback, 2) }
    return rig
  }

  @Test("The deepest of several wins, with its own attack, and leaves with its own release")
  func deepest() throws {
    var rig = try rig()
    try rig.handle(.session("c", .duckLevel(.set(-30))))
    try rig.handle(.session("c", .duckAttack(.set(0.05))))
    try rig.handle(.session("c", .duckRelease(.set(3))))
    try rig.activate("b")
    #expect(rig.level("bed") == -14)
    rig.world.time = 1
    try rig.activate("c")
    let deep = try #require(rig["bed"].duck(in: "spk"))
    #expect(deep.target == -30 && deep.ducker == "c" && deep.seconds == 0.05 && deep.origin == -14)
    rig.world.time = 2
    try rig.end("c")
    let back = try #require(rig["bed"].duck(in: "spk"))
    #expect(back.target == -14 && back.ducker == "b" && back.seconds == 3 && back.origin == -30)
    // A value of its own may be given back.
    try rig.handle(.session("c", .duckLevel(nil)))
    try rig.activate("c")
    #expect(rig.level("bed") == -14)
  }

  @Test("A later ducker ducks an earlier one, not the reverse")
  func order() throws {
    var rig = try rig()
    try rig.activate("b")
    try rig.activate("c")
    #expect(rig.level("b") == -14 && rig.level("c") == 0)
    try rig.end("b")
    try rig.activate("b")
    #expect(rig.level("b") == 0 && rig.level("c") == -14)
  }

  @Test("A newcomer starts ducked")
  func newcomer() throws {
    var rig = try rig()
    try rig.activate("b")
    rig.world.time = 1
    try rig.play("late", .playback, 1)
    #expect(rig.level("late", time: 1) == -14)
  }

  @Test("Who is exempt, a call or an alert is not ducked; who is protected can be")
  func exempt() throws {
    var rig = try rig()
    try rig.alert()
    try rig.handle(.session("bed", .protected(true)))
    try rig.activate("b")
    #expect(rig.level("bed") == -14 && rig.level("alert") == 0)
    try rig.handle(.session("bed", .duckExempt(true)))
    #expect(rig.level("bed") == 0)
  }

  @Test("No duck goes deeper than its output's limit, and the operator's changes move what is ducked")
  func limit() throws {
    var rig = try rig()
    try rig.activate("b")
    for (event, level) in [
      (Event.port(.output, "spk", .duckLimit(.set(-6))), -6.0), (.router(.duckLevel(.set(-3))), -3),
      (.router(.duckLevel(.set(-40))), -6), (.port(.output, "spk", .duckLimit(.set(-60))), -40),
    ] {
      let before = rig["bed"].duck(in: "spk")?.revision
      try rig.handle(event)
      #expect(rig.level("bed") == level && rig["bed"].duck(in: "spk")?.revision != before)
    }
  }

  @Test("Nothing moves that need not: other events leave every duck as it is")
  func unmoved() throws {
    var rig = try rig()
    try rig.activate("b")
    let ducks = rig["bed"].ducks
    try rig.handle(.session("bed", .gain(.set(-3))))
    try rig.handle(.session("b", .outputIO(.stopped)))
    try rig.handle(.router(.duckAttack(.set(1))))
    try rig.play("late", .playback, 1)
    #expect(rig["bed"].ducks == ducks)
  }
}
