import LawWorld
import SessionModel
import Testing

@Suite("Scenarios A15 to A37, A97, A98: activation and interruptions")
struct ScenarioActivationTests {
  @Test("A15: playback is heard at the speaker, not at the receiver")
  func a15() throws {
    var rig = try Rig()
    try rig.make("a")
    #expect(try rig.activate("a") == [.active("a", true, by: .app)])
    #expect(rig.level("a") == 0 && rig.level("a", at: "ear") == nil)
    #expect(rig.verdict("a") == .heard(at: ["spk"]))
  }

  @Test("A16: the interrupted session is notified before the activation is confirmed")
  func a16() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.make("b")
    #expect(
      try rig.activate("b") == [
        .active("a", false, by: .system), .interruption("a", .began(.default), by: .session("b")),
        .active("b", true, by: .app),
      ])
    #expect(rig.level("a") == nil && rig.level("b") == 0)
    #expect(rig.verdict("a") == .interrupted(Displacement(by: .session("b"))))
    #expect(
      rig.why("a")
        == "interrupted by b since it is active; stays silent until it is activated (resume is never)")
  }

  @Test(
    "A17, A19: a mixable session plays on beside playback and gets a hint",
    arguments: [
      (Category.ambient, 0), (.playback, 1),
    ])
  func a17(_ category: Category, _ options: Int) throws {
    var rig = try Rig()
    try rig.play("a", category, options)
    try rig.make("b")
    #expect(try rig.activate("b") == [.active("b", true, by: .app), .hint("a", true)])
    #expect(rig.level("a") == 0 && rig.level("b") == 0)
  }

  @Test("A18: a mixable session interrupts no other session")
  func a18() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.make("b", .playback, 1)
    #expect(try rig.activate("b") == [.active("b", true, by: .app)])
    #expect(rig.level("a") == 0 && rig.level("b") == 0)
  }

  @Test(
    "A20: during a call a session that needs the hardware is refused",
    arguments: [
      Category.playAndRecord, .record, .multiRoute, .soloAmbient,
    ])
  func a20(_ category: Category) throws {
    var rig = try Rig()
    try rig.call()
    try rig.make("a", category)
    #expect(rig.world.refusal(.activate("a")) == .insufficientPriority)
    #expect(rig.level("call") == 0)
    // The same holds during a call from outside; a protected session is never refused.
    try rig.end("call")
    try rig.handle(.beginInterruption("phone"))
    #expect(rig.world.refusal(.activate("a")) == .insufficientPriority)
    try rig.handle(.session("a", .protected(true)))
    #expect(try rig.activate("a").told("a") == ["active"])
  }

  @Test("A21: playback is admitted beside a call")
  func a21() throws {
    var rig = try Rig()
    try rig.call()
    try rig.play("a")
    #expect(rig.level("a") == 0 && rig.level("call") == 0)
  }

  @Test("A22, A23: in the background only mixable sessions and the \"now playing\" session may be activated")
  func a22() throws {
    var rig = try Rig()
    try rig.play("b")
    try rig.make("a")
    try rig.handle(.session("a", .foreground(false)))
    #expect(rig.world.refusal(.activate("a")) == .cannotInterruptOthers)
    #expect(rig.level("b") == 0)
    try rig.set("a", .playback, 1)
    try rig.activate("a")
    #expect(rig.level("a") == 0 && rig.level("b") == 0)
    // The "now playing" session may go to the background and be activated again there.
    try rig.handle(.session("b", .foreground(false)))
    try rig.end("b")
    #expect(try rig.activate("b").told("b") == ["active"])
  }

  @Test(
    "A24: ambient and soloAmbient do not play in the background", arguments: [Category.ambient, .soloAmbient])
  func a24(_ category: Category) throws {
    var rig = try Rig()
    try rig.make("a", category)
    try rig.handle(.session("a", .foreground(false)))
    #expect(rig.world.refusal(.activate("a")) == .cannotStartPlaying)
    #expect(rig.world.refusal(.session("a", .outputIO(.running))) == .cannotStartPlaying)
    try rig.handle(.session("a", .foreground(true)))
    try rig.activate("a")
    try rig.handle(.session("a", .foreground(false)))
    #expect(rig.level("a") == nil && rig.verdict("a") == .silent(.background))
  }

  @Test("A25: a mixable session may not start to record in the background")
  func a25() throws {
    var rig = try Rig()
    try rig.play("a", .playAndRecord, 1)
    try rig.handle(.session("a", .foreground(false)))
    #expect(rig.world.refusal(.session("a", .inputIO(.running))) == .cannotStartRecording)
    #expect(rig.level("a", at: "ear") == 0)
  }

  @Test("A26: deactivating while output runs succeeds, reports an error or is refused, as the setting says")
  func a26() throws {
    for conduct in DeactivationConduct.allCases {
      var rig = try Rig()
      try rig.play("a")
      try rig.handle(.router(.deactivation(conduct)))
      guard conduct != .refuses else {
        #expect(rig.world.refusal(.deactivate("a", notifyingOthers: true)) == .isBusy)
        try rig.handle(.session("a", .outputIO(.stopped)))
        #expect(try rig.end("a").told("a") == ["inactive(app)"])
        continue
      }
      let told = try rig.end("a")
      #expect(told.first == .active("a", false, by: .app) && rig.level("a") == nil)
      let codes = told.compactMap { if case .error(_, _, let error) = $0 { error.code } else { nil } }
      #expect(codes == (conduct == .reports ? [.isBusy] : []))
    }
  }

  @Test("A27: notifyOthersOnDeactivation is refused on activation")
  func a27() throws {
    var rig = try Rig()
    try rig.make("a")
    #expect(rig.world.refusal(.activate("a", notifyingOthers: true)) == .badParam)
  }

  @Test("A28: activating or deactivating twice succeeds without a notification")
  func a28() throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(try rig.activate("a").isEmpty)
    #expect(try rig.end("a").told("a") == ["inactive(app)"])
    #expect(try rig.end("a").isEmpty)
  }

  @Test(
    "A29, A30: a deactivation that notifies others recommends to resume; no session resumes by itself",
    arguments: [true, false])
  func a29(_ notify: Bool) throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.play("b")
    let flag = notify ? 1 : 0
    #expect(try rig.end("b", notify: notify).told("a") == ["ended(\(flag)) by b", "recommend(\(flag))"])
    #expect(rig.level("a") == nil && rig.verdict("a") == .silent(.interruptionOver))
    try rig.activate("a")
    #expect(rig.level("a") == 0)
  }

  @Test("A31: a program that is killed ends its session as a deactivation that notifies others does")
  func a31() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.play("b", .playback)
    let told = try rig.handle(.connected("b", false))
    #expect(told.told("a") == ["ended(1) by b", "recommend(1)"])
    #expect(told.told("b") == ["vanished", "inactive(system)"])
    #expect(try rig.handle(.connected("b", false)).isEmpty)
  }

  @Test(
    "A32: in a chain of interruptions only the last interrupted session is notified, and the next one when that ends"
  )
  func a32() throws {
    var rig = try Rig()
    for id: SessionID in ["a", "b", "c"] { try rig.play(id) }
    #expect(rig.why("a").hasPrefix("interrupted by b, which is itself interrupted by c;"))
    let told = try rig.end("c")
    #expect(told.told("b") == ["ended(1) by c", "recommend(1)"] && told.told("a").isEmpty)
    try rig.activate("b")
    #expect(try rig.end("b").told("a") == ["ended(1) by b", "recommend(1)"])
  }

  @Test(
    "A32: an interrupter that ends while it is interrupted leaves its sessions waiting for its own interrupter"
  )
  func reparenting() throws {
    var rig = try Rig()
    for id: SessionID in ["a", "b", "c"] { try rig.play(id) }
    #expect(try rig.end("b").isEmpty)
    #expect(rig["a"].displacement?.interrupter == .session("c"))
    #expect(try rig.end("c").told("a") == ["ended(1) by c", "recommend(1)"])
  }

  @Test(
    "A32: an interrupter that may resume but is deactivated or removed releases the sessions that it interrupted"
  )
  func givingUp() throws {
    for event: Event in [
      .deactivate("b", notifyingOthers: true), .removeSession("b"), .connected("b", false),
    ] {
      var rig = try Rig()
      for id: SessionID in ["a", "b", "c"] { try rig.play(id) }
      try rig.end("c")
      #expect(try rig.handle(event).told("a") == ["ended(1) by b", "recommend(1)"])
    }
  }

  @Test("A33: an interrupted session may be activated again, and interrupts others then")
  func a33() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.play("b")
    let told = try rig.activate("a")
    #expect(told.told("a") == ["active"] && told.told("b") == ["inactive(system)", "began(0) by a"])
    #expect(rig.level("a") == 0 && rig.level("b") == nil)
  }

  @Test("A34: a session with the option interrupts spoken audio and ducks other sessions")
  func a34() throws {
    var rig = try Rig()
    try rig.play("a", .playback, 0, .spokenAudio)
    try rig.play("m", .playback, 1)
    try rig.make("b", .playback, 0x13)
    #expect(try rig.activate("b").told("a") == ["inactive(system)", "began(0) by b"])
    #expect(rig.level("a") == nil && rig.level("m") == Rig.duck && rig.level("b") == 0)
    #expect(try rig.end("b").told("a") == ["ended(1) by b", "recommend(1)"])
    #expect(rig.level("m") == 0)
  }

  @Test("A34: spoken audio that does not play is interrupted when it begins to play")
  func spokenLater() throws {
    var rig = try Rig()
    try rig.make("a", .playback, 0, .spokenAudio)
    try rig.handle(.session("a", .outputIO(.auto)))
    try rig.activate("a")
    try rig.play("b", .playback, 0x11)
    #expect(rig["a"].isActive)
    #expect(try rig.handle(.sounding("a", true)).told("a") == ["inactive(system)", "began(0) by b"])
    // Spoken audio that is activated later plays beside the interrupter.
    try rig.activate("a")
    try rig.handle(.sounding("a", false))
    #expect(try rig.handle(.sounding("a", true)).told("a").isEmpty && rig.level("a") == 0)
  }

  @Test("A35: spoken audio is ducked by a plain ducker")
  func a35() throws {
    var rig = try Rig()
    try rig.play("a", .playback, 0, .spokenAudio)
    try rig.play("b", .playback, 2)
    #expect(rig.level("a") == Rig.duck && rig["a"].isActive)
  }

  @Test("A36: began is 1 with a reason, ended is 0 with an option")
  func a36() {
    #expect(InterruptionPhase.began(.default).number == 1)
    #expect(InterruptionPhase.ended(shouldResume: true).number == 0)
    #expect(InterruptionReason.allCases.map(\.rawValue) == [0, 2, 4])
  }

  @Test("A37: a deactivation by the client is confirmed and is no interruption")
  func a37() throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(try rig.end("a") == [.active("a", false, by: .app)])
  }

  @Test(
    "A97: a session that is active before its ports exist is heard when they appear, without a notification")
  func a97() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.handle(.connected("a", false))
    try rig.activate("a")
    #expect(rig.verdict("a") == .silent(.noSource))
    #expect(try rig.handle(.connected("a", true)).isEmpty && rig.level("a") == 0)
  }

  @Test(
    "A98: a call interrupts mixable sessions, too, unless the scope excludes them",
    arguments: InterruptionScope.allCases)
  func a98(_ scope: InterruptionScope) throws {
    var rig = try Rig()
    try rig.handle(.router(.interruptionScope(scope)))
    try rig.play("a", .ambient)
    try rig.play("m", .playback, 1)
    try rig.make("call", .playback, 0, .default, .call)
    let told = try rig.activate("call")
    for id: SessionID in ["a", "m"] {
      #expect(
        told.told(id) == (scope == .all ? ["inactive(system)", "began(0) by call"] : ["hint(1)"]))
      #expect(rig.level(id) == (scope == .all ? nil : 0))
    }
    let ended = try rig.end("call")
    for id: SessionID in ["a", "m"] {
      #expect(ended.told(id) == (scope == .all ? ["ended(1) by call", "recommend(1)"] : ["hint(0)"]))
    }
  }
}
