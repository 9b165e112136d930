import LawWorld
import SessionModel
import Testing

@Suite("Scenarios A38 to A49, A87 to A91: ducking, hints, Record, mutes")
struct ScenarioSharingTests {
  /// Session `a` plays, and `b` ducks it since time 0.
  private func ducked() throws -> Rig {
    var rig = try Rig()
    try rig.play("a")
    try rig.make("b", .playback, 2)
    #expect(try rig.activate("b").told("a").isEmpty)
    return rig
  }

  @Test("A38: a ducker brings the others to the duck level without a notification")
  func a38() throws {
    let rig = try ducked()
    #expect(rig.level("a") == Rig.duck && rig.level("b") == 0)
    #expect(rig.verdict("a") == .ducked(at: ["spk"], by: "b"))
    #expect(rig.why("a") == "heard at spk, ducked to -14.0 dB by b")
  }

  @Test("A39: a duck lasts until the ducker ends, whether the ducker is heard or not")
  func a39() throws {
    var rig = try ducked()
    try rig.handle(.session("b", .outputIO(.stopped)))
    rig.world.time = 5
    #expect(rig.level("a", time: 5) == Rig.duck)
    try rig.end("b")
    #expect(rig.level("a") == 0 && rig.level("a", time: 5.8) == 0)
  }

  @Test("A40: the operator's level and the duck are separate stages")
  func a40() throws {
    var rig = try ducked()
    try rig.handle(.session("a", .gain(.set(-6))))
    #expect(rig.level("a") == Rig.duck - 6)
    try rig.end("b")
    #expect(rig.level("a") == -6 && rig["a"].gain.target == -6)
  }

  @Test(
    "A41: a duck ends with its ducker, in whichever way that ends",
    arguments: [
      Event.connected("b", false), .removeSession("b"), .beginInterruption("phone"),
      .configure("b", SessionConfiguration(category: .playback, options: .mixWithOthers)),
    ])
  func a41(_ event: Event) throws {
    var rig = try ducked()
    try rig.handle(event)
    #expect(rig["a"].duck(in: "spk")?.target == 0 && rig["a"].duck(in: "spk")?.ducker == nil)
  }

  @Test("A42: duckers do not add up, and the duck ends with the last one")
  func a42() throws {
    var rig = try ducked()
    let first = rig["a"].ducks
    try rig.play("c", .playback, 2)
    #expect(rig["a"].ducks == first)
    try rig.end("b")
    #expect(rig.level("a") == Rig.duck)
    try rig.end("c")
    #expect(rig.level("a") == 0)
  }

  @Test("A43: a move is linear in dB and takes its whole time; a new move begins at the present level")
  func a43() throws {
    var rig = try ducked()
    for (time, level) in [(0.0, 0.0), (0.05, -3.5), (0.1, -7), (0.2, -14), (9, -14)] {
      #expect(abs(rig["a"].duckNow(at: time) - level) < 1e-9)
    }
    let began = try #require(rig["a"].duck(in: "spk"))
    #expect(began.seconds == 0.2)
    rig.world.time = 0.1
    try rig.end("b")
    let ended = try #require(rig["a"].duck(in: "spk"))
    #expect(ended.seconds == 0.8 && ended.origin == -7 && ended.revision != began.revision)
    #expect(abs(rig["a"].duckNow(at: 0.5) - -3.5) < 1e-9 && rig["a"].duckNow(at: 0.9) == 0)
  }

  @Test("A44: a call is not ducked")
  func a44() throws {
    var rig = try Rig()
    try rig.call()
    try rig.play("b", .playback, 2)
    #expect(rig.level("call") == 0 && rig.level("b") == 0)
  }

  @Test(
    "A45: the scope decides which sessions are ducked in which outputs",
    arguments: [
      (DuckScope.all, Rig.duck, Rig.duck), (.shared, 0, Rig.duck), (.heard, 0, 0),
    ])
  func a45(_ scope: DuckScope, _ alone: Double, _ beside: Double) throws {
    var rig = try Rig()
    try rig.world.plug("usb", .usbAudio, channels: 4)
    try rig.world.plug("phones", .headphones)
    try rig.handle(.router(.duckScope(scope)))
    try rig.play("a", .multiRoute, 1)
    try rig.world.route("a", "usb")
    try rig.play("both", .multiRoute, 1)
    try rig.world.route("both", "usb,phones")
    try rig.play("b", .playback, 2)
    #expect(rig.level("b", at: "phones") == 0)
    #expect(rig.level("a", at: "usb") == alone)
    #expect(rig.level("both", at: "usb") == beside && rig.level("both", at: "phones") == Rig.duck)
  }

  @Test("A46: primary audio of another session gives a hint and counts as other audio")
  func a46() throws {
    var rig = try Rig()
    try rig.play("a", .ambient)
    func reading() -> [Bool] {
      let activity = rig.state.activity
      return [activity.isSecondaryAudioSilenced(for: "a"), activity.isOtherAudioPlaying(besides: rig["a"])]
    }
    #expect(reading() == [false, false])
    try rig.make("b")
    #expect(try rig.activate("b").told("a") == ["hint(1)"])
    #expect(reading() == [true, true])
    #expect(try rig.handle(.session("b", .outputIO(.stopped))).told("a") == ["hint(0)"])
    #expect(try rig.handle(.session("b", .outputIO(.running))).told("a") == ["hint(1)"])
    #expect(try rig.end("b").told("a") == ["hint(0)"])
    #expect(reading() == [false, false])
    // Sessions in the background get no hint.
    try rig.handle(.session("a", .foreground(false)))
    #expect(try rig.activate("b").told("a").isEmpty)
  }

  @Test("A47: a mixable session is other audio but not primary audio")
  func a47() throws {
    var rig = try Rig()
    try rig.play("a", .ambient)
    try rig.make("b", .ambient)
    #expect(try rig.activate("b").told("a").isEmpty)
    let activity = rig.state.activity
    #expect(activity.isOtherAudioPlaying(besides: rig["a"]) && !activity.isSecondaryAudioSilenced(for: "a"))
  }

  @Test("A48: prompts are normal, short during a call, and none while a session records speech")
  func a48() throws {
    var rig = try Rig()
    try rig.play("a", .playback, 1, .voicePrompt)
    func style() -> PromptStyle { rig.state.activity.promptStyle(for: "a") }
    #expect(style() == .normal)
    try rig.handle(.beginInterruption("phone"))
    #expect(style() == .short)
    try rig.handle(.endInterruption("phone"))
    try rig.make("dictation", .record)
    try rig.handle(.session("dictation", .captureExclusive(true)))
    try rig.activate("dictation")
    #expect(style() == .short)
    try rig.handle(.session("dictation", .inputIO(.running)))
    #expect(style() == .none && rig.state.activity.promptStyle(for: "dictation") == .normal)
    try rig.call()
    #expect(style() == .short)
  }

  @Test("A49: record silences all sessions but alerts and protected ones, and interrupts no mixable session")
  func a49() throws {
    var rig = try Rig()
    try rig.play("m", .playback, 1)
    try rig.alert()
    try rig.play("show", .playback, 1)
    try rig.handle(.session("show", .protected(true)))
    try rig.make("b", .record)
    #expect(try rig.activate("b").told("m").isEmpty)
    #expect(rig.level("m") == nil && rig.level("alert") == 0 && rig.level("show") == 0)
    #expect(rig.verdict("m") == .silent(.recording(by: "b")))
    try rig.end("b")
    #expect(rig.level("m") == 0)
  }

  @Test("A87: the output mute silences only its own session and sends a notification")
  func a87() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.play("m", .playback, 1)
    try rig.alert()
    #expect(try rig.handle(.session("a", .outputMuted(true))) == [.outputMute("a", true)])
    #expect(rig.level("a") == nil && rig.level("m") == 0 && rig.level("alert") == 0)
    #expect(rig.verdict("a") == .silent(.outputMuted) && !rig["a"].isMuted)
    #expect(try rig.handle(.session("a", .outputMuted(true))).isEmpty)
    #expect(try rig.handle(.session("a", .outputMuted(false))) == [.outputMute("a", false)])
    #expect(rig.level("a") == 0)
  }

  @Test("A88: a voice chat allows no output mute, and becoming one unmutes")
  func a88() throws {
    var rig = try Rig()
    try rig.play("a", .playAndRecord, 0, .voiceChat)
    #expect(rig.world.refusal(.session("a", .outputMuted(true))) == .badParam)
    try rig.set("a", .playAndRecord)
    try rig.handle(.session("a", .outputMuted(true)))
    let chat = SessionConfiguration(category: .playAndRecord, mode: .voiceChat)
    #expect(try rig.handle(.configure("a", chat)).told("a") == ["category", "outmute(0)"])
  }

  @Test(
    "A89, A90: a microphone that is muted in hardware interrupts a recording session, unless its option overrides that"
  )
  func a89() throws {
    var rig = try Rig()
    try rig.play("a", .playAndRecord)
    try rig.handle(.session("a", .inputIO(.running)))
    #expect(rig.state.isInputOpen(rig["a"]))
    let mute = Event.port(.input, "mic", .hardwareMuted(true))
    #expect(try rig.handle(mute).told("a") == ["inactive(system)", "began(2) by mic"])
    #expect(rig.world.refusal(.session("a", .inputIO(.running))) == .cannotStartRecording)
    #expect(
      try rig.handle(.port(.input, "mic", .hardwareMuted(false))).told("a")
        == ["ended(1) by mic", "recommend(1)"])
    try rig.set("a", .playAndRecord, 0x80)
    try rig.activate("a")
    #expect(try rig.handle(mute).isEmpty)
    #expect(rig.level("a", at: "ear") == 0 && !rig.state.isInputOpen(rig["a"]))
    #expect(rig.why("a") == "heard at ear; mic is muted in hardware")
    try rig.handle(.session("a", .inputIO(.running)))
  }

  @Test(
    "A91: a ringing call interrupts a session at once, or only when it is accepted if the session ignores alerts",
    arguments: [false, true])
  func a91(_ ignores: Bool) throws {
    var rig = try Rig()
    try rig.play("a", .record)
    try rig.handle(.session("a", .ignoresAlerts(ignores)))
    let began = ["inactive(system)", "began(0) by phone"]
    #expect(try rig.handle(.ring("phone", true)).told("a") == (ignores ? [] : began))
    #expect(try rig.handle(.beginInterruption("phone")).told("a") == (ignores ? began : []))
    #expect(try rig.handle(.ring("phone", false)).isEmpty)
    #expect(try rig.handle(.endInterruption("phone")).told("a") == ["ended(1) by phone", "recommend(1)"])
  }
}
