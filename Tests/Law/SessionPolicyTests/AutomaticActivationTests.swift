import LawWorld
import SessionModel
import Testing

@Suite("Automatic activation: the router acts in place of an app")
struct AutomaticActivationTests {
  @Test(
    "After an interruption a session resumes as its setting resume says",
    arguments: [
      (Resumption.never, true, false), (.recommended, true, true), (.recommended, false, false),
      (.always, false, true),
    ])
  func resume(_ resumption: Resumption, _ notify: Bool, _ resumes: Bool) throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.handle(.session("a", .resumption(resumption)))
    try rig.play("b")
    let told = try rig.end("b", notify: notify).told("a")
    #expect(told.first == "ended(\(notify ? 1 : 0)) by b" && (told.last == "active") == resumes)
    #expect(rig["a"].isActive == resumes)
  }

  @Test("A session that two calls interrupt waits until the second has ended, and then resumes by itself")
  func calls() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.handle(.session("a", .resumption(.recommended)))
    try rig.handle(.beginInterruption("phone"))
    #expect(rig.why("a") == "interrupted by a call (phone); comes back by itself when it ends")
    try rig.handle(.beginInterruption("door"))
    #expect(try rig.handle(.endInterruption("phone")).isEmpty)
    #expect(
      try rig.handle(.clearInterruptions).told("a") == ["ended(1) by door", "recommend(1)", "active"])
  }

  @Test(
    "A session that a call refused gets a recommendation when the call has ended, and starts if its settings allow it"
  )
  func refused() throws {
    var rig = try Rig()
    try rig.handle(.beginInterruption("phone"))
    try rig.make("a", .soloAmbient)
    #expect(rig.world.refusal(.activate("a")) == .insufficientPriority)
    try rig.handle(.activationRefused("a"))
    #expect(rig.verdict("a") == .silent(.inactive(.manual)))
    #expect(try rig.handle(.endInterruption("phone")).told("a") == ["recommend(1)"])
    // A session that starts by itself is remembered without a client's request.
    try rig.handle(.beginInterruption("phone"))
    try rig.handle(.session("a", .resumption(.recommended)))
    let told = try rig.handle(.session("a", .activation(.start)))
    guard case .error(0, "/session/a/active", let error) = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(error.code == .insufficientPriority)
    #expect(rig.verdict("a") == .silent(.refused(by: .source("phone"))))
    #expect(try rig.handle(.endInterruption("phone")).told("a") == ["recommend(1)", "active"])
  }

  @Test(
    "A session with activate signal is heard from its first sample, and ducks others only while it has a signal"
  )
  func signal() throws {
    var rig = try Rig()
    try rig.play("m", .playback, 1)
    try rig.make("talk", .playback, 2)
    #expect(rig.level("talk") == nil)
    try rig.handle(.session("talk", .activation(.signal)))
    #expect(rig.level("talk") == 0 && rig.level("m") == 0 && rig.verdict("talk") == .heard(at: ["spk"]))
    #expect(try rig.handle(.signal("talk", true)).told("talk") == ["active"])
    #expect(rig.level("m") == Rig.duck)
    #expect(try rig.handle(.signal("talk", false)).told("talk") == ["inactive(system)"])
    #expect(rig.level("m") == 0 && rig.level("talk") == 0)
  }

  @Test(
    "Two sessions with activate signal do not interrupt each other without end: the interrupted one must first be silent"
  )
  func signals() throws {
    var rig = try Rig()
    for id: SessionID in ["a", "b"] {
      try rig.make(id)
      try rig.handle(.session(id, .activation(.signal)))
    }
    try rig.handle(.signal("a", true))
    try rig.handle(.signal("b", true))
    #expect(rig["b"].isActive && rig.level("a") == nil && rig["a"].isHeldBack)
    #expect(try rig.handle(.signal("a", true)).isEmpty)
    #expect(try rig.handle(.signal("a", false)).isEmpty && rig.level("a") == 0)
    #expect(try rig.handle(.signal("a", true)).told("b") == ["inactive(system)", "began(0) by a"])
    // A session that the operator deactivates must first be silent, too.
    try rig.end("a")
    #expect(rig.level("a") == nil && rig.verdict("a") == .silent(.heldBack))
    try rig.handle(.connected("a", false))
    #expect(!rig["a"].isHeldBack)
  }

  @Test("A session whose lease runs out ends and notifies the others, whether it is active or interrupted")
  func lease() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.play("b")
    #expect(rig.state.nextDeadline == nil)
    try rig.handle(.session("b", .lease(.set(2))))
    rig.world.time = 1.5
    try rig.handle(.alive("b"))
    #expect(rig.state.nextDeadline == 3.5)
    rig.world.time = 3
    #expect(try rig.handle(.elapsed).isEmpty)
    try rig.play("c")
    rig.world.time = 3.5
    #expect(try rig.handle(.elapsed).isEmpty && rig["b"].displacement == nil)
    #expect(rig["a"].displacement?.interrupter == .session("c") && rig.state.nextDeadline == nil)
    try rig.handle(.session("c", .lease(.set(1))))
    rig.world.time = 4.5
    #expect(try rig.handle(.elapsed).told("a") == ["ended(1) by c", "recommend(1)"])
    #expect(rig.world.refusal(.alive("absent")) == .notFound)
  }

  @Test("After the server's return only sessions that start by themselves or always resume are active again")
  func reset() throws {
    var rig = try Rig()
    for (id, resumption) in [("never", Resumption.never), ("wise", .recommended), ("stubborn", .always)] {
      let id = SessionID(id)!
      try rig.play(id, .playback, 1)
      try rig.handle(.session(id, .resumption(resumption)))
    }
    try rig.world.lose()
    #expect(rig.verdict("never") == .silent(.mediaLost))
    try rig.world.start()
    #expect(rig.state.sessions.values.filter(\.isActive).map(\.id) == ["stubborn"])
  }

  @Test(
    "When its output disappears, a session moves, waits or is interrupted, as its setting unplug says",
    arguments: UnplugConduct.allCases)
  func unplug(_ conduct: UnplugConduct) throws {
    var rig = try Rig()
    try rig.world.plug("phones", .headphones)
    try rig.play("a")
    try rig.handle(.session("a", .unplug(conduct)))
    let gone = try rig.world.unplug("phones").told("a")
    let back = try rig.world.present(["phones"]).told("a")
    switch conduct {
    case .continue: #expect(gone == ["route(2)"] && back == ["route(1)"])
    case .wait: #expect(gone == ["route(2)"] && back == ["route(1)"])
    case .interrupt:
      #expect(gone == ["route(2)", "inactive(system)", "began(4) by phones"])
      #expect(back == ["ended(1) by phones", "recommend(1)"])
    }
    try rig.world.unplug("phones")
    #expect(rig.level("a", at: "spk") == (conduct == .continue ? 0 : nil))
    if conduct == .wait { #expect(rig.verdict("a") == .silent(.outputAbsent("phones"))) }
    // When the operator activates the session, it is heard at an output that is available.
    try rig.activate("a")
    #expect(rig.level("a", at: "spk") == (conduct == .wait ? nil : 0))
  }
}

@Suite("Protected sessions, silent switch, offline rendering, permissions")
struct ExemptionTests {
  @Test(
    "A protected session is not interrupted; when the protection ends, the ordinary rules decide whether it stays active"
  )
  func protected() throws {
    var rig = try Rig()
    try rig.play("show", .multiRoute)
    try rig.handle(.session("show", .protected(true)))
    try rig.play("b")
    #expect(try rig.handle(.beginInterruption("phone")).told("show") == ["hint(0)"] && rig["show"].isActive)
    #expect(
      try rig.handle(.session("show", .protected(false))).told("show")
        == ["inactive(system)", "began(0) by phone"])
    try rig.handle(.endInterruption("phone"))
    try rig.handle(.session("show", .protected(true)))
    try rig.activate("show")
    try rig.activate("b")
    #expect(
      try rig.handle(.session("show", .protected(false))).told("show") == [
        "inactive(system)", "began(0) by b",
      ])
  }

  @Test("A call is not in its own way: it changes its category, and stays active when its protection ends")
  func ownWay() throws {
    var rig = try Rig()
    try rig.play("call", .playAndRecord, 0, .voiceChat, .call)
    try rig.handle(.session("call", .protected(true)))
    #expect(!(try rig.handle(.session("call", .protected(false))).told("call").contains("inactive(system)")))
    try rig.set("call", .multiRoute)
    #expect(rig["call"].isActive && rig["call"].category == .multiRoute)
  }

  @Test("The silent switch silences ambient and soloAmbient but not alerts", arguments: Category.allCases)
  func silent(_ category: Category) throws {
    guard category.hasOutput else { return }
    var rig = try Rig()
    try rig.play("a", category)
    try rig.handle(.router(.silent(true)))
    let isSilenced = [.ambient, .soloAmbient].contains(category)
    #expect(rig.state.isGateOpen(rig["a"], rig.state.activity) == !isSilenced)
    if isSilenced { #expect(rig.verdict("a") == .silent(.silentSwitch)) }
    try rig.end("a")
    try rig.handle(.session("a", .priority(.alert)))
    try rig.activate("a")
    #expect(rig.state.isGateOpen(rig["a"], rig.state.activity))
    #expect(rig.world.refusal(.session("a", .priority(.normal))) == .isBusy)
  }

  @Test("audioProcessing can be active but is heard only when files are rendered")
  func offline() throws {
    var rig = try Rig()
    try rig.play("a", .audioProcessing)
    #expect(rig.level("a") == nil && rig.verdict("a") == .silent(.onlyOffline))
    #expect(rig.world.refusal(.session("a", .outputIO(.running))) == .cannotStartPlaying)
    #expect(rig.world.refusal(.session("a", .inputIO(.running))) == .cannotStartRecording)
    var server = rig.state.server
    server.isOffline = true
    try rig.handle(.server(server))
    #expect(rig.level("a") == 0 && rig.verdict("a") == .heard(at: ["spk"]))
    try rig.handle(.session("a", .outputIO(.running)))
  }

  @Test("Recording needs an input, and without permission its input is silence")
  func recording() throws {
    var rig = try Rig()
    try rig.make("a", .record)
    try rig.handle(.port(.input, "mic", .plugged(false)))
    #expect(rig.world.refusal(.activate("a")) == .resourceNotAvailable)
    try rig.handle(.port(.input, "mic", .plugged(true)))
    try rig.activate("a")
    #expect(rig.state.isInputOpen(rig["a"]))
    try rig.handle(.session("a", .permission(.denied)))
    #expect(!rig.state.isInputOpen(rig["a"]) && rig.state.isCaptureOpen(rig["a"]))
    #expect(rig.world.refusal(.session("a", .outputIO(.running))) == .incompatibleCategory)
  }

  @Test(
    "playAndRecord uses an accessory if there is one, otherwise the receiver, or the speaker by option or without a receiver"
  )
  func receiver() throws {
    var rig = try Rig()
    try rig.play("a", .playAndRecord)
    #expect(rig["a"].route.text == "in:mic out:ear")
    try rig.set("a", .playAndRecord, 8)
    #expect(rig["a"].route.outputs == ["spk"])
    try rig.world.plug("phones", .headphones)
    #expect(rig["a"].route.outputs == ["phones"])
    try rig.world.unplug("phones")
    try rig.set("a", .playAndRecord)
    try rig.handle(.port(.output, "ear", .plugged(false)))
    #expect(rig["a"].route.outputs == ["spk"])
  }

  @Test("A refusal names the call that stands in the way and what would be accepted")
  func sentences() throws {
    var rig = try Rig()
    try rig.handle(.beginInterruption("phone"))
    try rig.make("a", .record)
    var state = rig.state
    #expect(throws: SessionError.self) { try Rig.reduce(&state, .activate("a")) }
    do {
      try Rig.reduce(&state, .activate("a"))
    } catch {
      #expect(error.sentence.hasPrefix("phone is a call and holds the hardware, so a (record) must wait"))
    }
  }
}
