import SessionModel
import Testing

@Suite("Following: the router plays the app's part")
struct FollowingTests {
  @Test(
    "After an interruption a session resumes as it says",
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

  @Test("Behind two calls a session waits for the second, and comes back by itself")
  func calls() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.handle(.session("a", .resumption(.recommended)))
    try rig.handle(.beginInterruption("phone"))
    #expect(rig.why("a") == "interrupted by call since phone is on; comes back by itself when it ends")
    try rig.handle(.beginInterruption("door"))
    #expect(try rig.handle(.endInterruption("phone")).isEmpty)
    #expect(
      try rig.handle(.clearInterruptions).told("a") == ["ended(1) by door", "recommend(1)", "active"])
  }

  @Test("A refused session is told when the call has ended, and starts if it may")
  func refused() throws {
    var rig = try Rig()
    try rig.handle(.beginInterruption("phone"))
    try rig.make("a", .soloAmbient)
    #expect(rig.world.refusal(.activate("a")) == .insufficientPriority)
    try rig.handle(.activationRefused("a"))
    #expect(rig.verdict("a") == .silent(.inactive(.manual)))
    #expect(try rig.handle(.endInterruption("phone")).told("a") == ["recommend(1)"])
    // One that starts by itself needs nobody to tell the router.
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
    "A signal session is heard from its first sample, and ducks from when its signal rises until it has fallen"
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

  @Test("Two signal sessions do not interrupt each other for ever: the interrupted waits until it was silent")
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
    // A person's own end holds it back, too.
    try rig.end("a")
    #expect(rig.level("a") == nil && rig.verdict("a") == .silent(.heldBack))
    try rig.handle(.connected("a", false))
    #expect(!rig["a"].isHeldBack)
  }

  @Test("A session whose lease runs out ends as if it had notified, active or interrupted")
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
    #expect(rig.world.refusal(.alive("nobody")) == .notFound)
  }

  @Test("After a reset only those return that start by themselves or always resume")
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

  @Test("An output that goes is followed, waited for, or interrupts", arguments: UnplugConduct.allCases)
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
    // Activated by hand it is heard where it can be.
    try rig.activate("a")
    #expect(rig.level("a", at: "spk") == (conduct == .wait ? nil : 0))
  }
}

@Suite("Protected, silent, offline")
struct ExemptionTests {
  @Test("Who is protected is not interrupted, and loses by the law once it is protected no longer")
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

  @Test("audioProcessing is active but heard only where files are rendered")
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
    "playAndRecord is heard at the receiver, at the speaker where it says so or there is none, at an accessory before both"
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

  @Test("A refusal names the holder and what would be accepted")
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
