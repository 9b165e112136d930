import LawWorld
import SessionModel
import Testing

@Suite("Ducking: a stage of its own")
struct DuckingTests {
  /// A mixable bed that plays, and the inactive duckers `b` and `c`.
  private func rig() throws -> Rig {
    var rig = try Rig()
    try rig.play("bed", .playback, 1)
    for id: SessionID in ["b", "c"] { try rig.make(id, .playback, 2) }
    return rig
  }

  @Test("Of several duckers the deepest counts, with its own attack, and with its own release when it ends")
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
    // A ducker's own value can be taken back, and then the router's value counts again.
    try rig.handle(.session("c", .duckLevel(nil)))
    try rig.activate("c")
    #expect(rig.level("bed") == -14)
  }

  @Test(
    "A ducker whose devices are all away ducks nothing, whatever it does when it is unplugged, and ducks again when one is back",
    arguments: [UnplugConduct.wait, .continue, .interrupt])
  func away(unplug: UnplugConduct) throws {
    var rig = try Rig()
    try rig.world.plug("phones", .headphones, channels: 2)
    try rig.play("bed", .playback, 1)
    try rig.handle(.session("bed", .preferredOutput("spk")))
    try rig.make("talk", .multiRoute, 2)
    try rig.handle(.session("talk", .unplug(unplug)))
    try rig.handle(.stream("talk", "main", .route(try StreamRoute("phones"))))
    try rig.activate("talk")
    #expect(rig.level("bed") == -14)
    rig.world.time = 1
    try rig.world.unplug("phones")
    let back = try #require(rig["bed"].ducks.first)
    #expect(back.target == 0 && back.ducker == nil && back.seconds == 0.8)
    rig.world.time = 2
    try rig.world.plug("phones", .headphones, channels: 2)
    if rig["talk"].isActive { #expect(rig.level("bed") == -14) }
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

  @Test("A session that becomes active during a duck starts ducked")
  func newcomer() throws {
    var rig = try rig()
    try rig.activate("b")
    rig.world.time = 1
    try rig.play("late", .playback, 1)
    #expect(rig.level("late", time: 1) == -14)
  }

  @Test("Exempt sessions, calls and alerts are not ducked; protected sessions are")
  func exempt() throws {
    var rig = try rig()
    try rig.alert()
    try rig.handle(.session("bed", .protected(true)))
    try rig.activate("b")
    #expect(rig.level("bed") == -14 && rig.level("alert") == 0)
    try rig.handle(.session("bed", .duckExempt(true)))
    #expect(rig.level("bed") == 0)
  }

  @Test(
    "A duck is never deeper than its output's limit, and follows the operator's changes of level and limit")
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

  @Test("Events that do not concern ducking leave every duck as it is")
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
