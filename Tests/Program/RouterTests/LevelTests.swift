import MixEngine
import SessionModel
import SessionPolicy
import Testing

@testable import Router

@Suite struct LevelTests {
  private var everything: Liveness {
    var liveness = Liveness()
    liveness.outputs = ["usb", "headphones"]
    liveness.inputs = ["mic"]
    liveness.streams = [
      StreamAddress(session: "show", stream: "band"), StreamAddress(session: "show", stream: "click"),
    ]
    liveness.captures = ["show"]
    return liveness
  }

  private func level(
    _ key: StageKey, _ events: Event..., liveness: Liveness? = nil, at time: Double = 0
  ) throws -> MixLevels.Level? {
    let state = try Show.state(Show.ports + Show.session + [Show.present] + events)
    return LevelBuilder.levels(of: state, liveness ?? everything, at: time).stages[key]
  }

  @Test(
    "Gains are amplitudes, and -90 dB is silence",
    arguments: [(-6.0, 0.501_187_2), (0, 1), (10, 3.162_277_7), (-90, 0)])
  func gains(decibels: Double, amplitude: Float) throws {
    #expect(
      try level(.streamGain("show", "band"), .stream("show", "band", .gain(.set(decibels))))?.target
        == amplitude)
  }

  @Test("The input gain that sessions set is a linear stage, separate from the operator's gain")
  func inputLevel() throws {
    let event = Event.session("show", .inputLevel(.set(0.25)))
    #expect(try level(.inputLevel("mic"))?.target == 1)
    #expect(try level(.inputLevel("mic"), event)?.target == 0.25)
    #expect(try level(.inputGain("mic"), event)?.target == 1)
  }

  @Test(
    "A balance takes one side down and never lifts the other",
    arguments: [(-1.0, 1.0, 0.0), (0, 1, 1), (0.25, 0.75, 1), (1, 0, 1)])
  func pan(position: Double, left: Double, right: Double) throws {
    let event = Event.stream("show", "band", .pan(.set(position)))
    #expect(try level(.streamPan("show", "band", channel: 0), event)?.target == Float(left))
    #expect(try level(.streamPan("show", "band", channel: 1), event)?.target == Float(right))
  }

  @Test("Gates begin closed, and open only for active sessions and for available, connected ports")
  func gates() throws {
    let capture = Event.session("show", .captureChannels(1))
    for key: StageKey in [
      .sessionGate("show"), .streamGate("show", "band"), .outputGate("usb"), .inputGate("mic"),
      .captureGate("show"),
    ] {
      let open = try level(key, capture)
      #expect(open?.target == 1 && open?.initial == 0)
      if key != .sessionGate("show") { #expect(try level(key, capture, liveness: Liveness())?.target == 0) }
    }
    #expect(try level(.sessionGate("show"), .deactivate("show", notifyingOthers: false))?.target == 0)
    #expect(try level(.outputGate("usb"), .port(.output, "usb", .plugged(false)))?.target == 0)
  }

  @Test(
    "A set takes the ramp's time along a raised cosine, and a fade takes the rest of its time along its curve"
  )
  func times() throws {
    let ramp = Event.router(.ramp(.set(0.1)))
    let set = try level(.sessionGain("show"), ramp, .session("show", .gain(.set(-6))))
    #expect(set?.seconds == 0.1 && set?.shape == .raisedCosine)
    let fade = Event.session("show", .gain(.set(-20, over: 4)))
    let begun = try level(.sessionGain("show"), ramp, .router(.fadeCurve(.linear)), fade, at: 1)
    #expect(begun?.seconds == 3 && begun?.shape == .linear && begun?.target == 0.1)
    let over = try level(.sessionGain("show"), ramp, fade, at: 5)
    #expect(over?.seconds == 0.1 && over?.target == 0.1)
    #expect(try level(.panic, .router(.panic(true))) == MixLevels.Level(target: 0, seconds: 0.05))
    #expect(try level(.panic) == MixLevels.Level(target: 1, seconds: 1))
  }

  @Test("A destination outside the route is silent, unless its port is away")
  func destinations() throws {
    let state = try Show.standard(.destination("show", "click", "headphones", .gain(.set(-6))))
    let send = SendKey.stream("show", "click", "headphones")
    #expect(LevelBuilder.levels(of: state, everything, at: 0)[send]?.target == Decibels(-6).amplitude)
    var away = state
    away.outputs["headphones"]?.members = [nil, nil]
    #expect(LevelBuilder.levels(of: away, everything, at: 0)[send]?.target == Decibels(-6).amplitude)
  }

  @Test("The delay is a treatment of the output, and the ceiling a stage with a ramp")
  func treatments() throws {
    let state = try Show.standard(
      .port(.output, "usb", .delay(.set(0.5))), .port(.output, "usb", .ceiling(.set(-6))))
    let levels = LevelBuilder.levels(of: state, everything, at: 0)
    #expect(levels.treatments["usb"] == MixLevels.Treatment(delay: 0.5))
    let ceiling = levels.stages[.outputCeiling("usb")]
    #expect(ceiling?.target == Decibels(-6).amplitude && ceiling?.seconds == 0.02)
    // A fade of the ceiling takes its time.
    let fading = try Show.standard(.port(.output, "usb", .ceiling(.set(-20, over: 4))))
    let fade = LevelBuilder.levels(of: fading, everything, at: 1).stages[.outputCeiling("usb")]
    #expect(fade?.target == Decibels(-20).amplitude && fade?.seconds == 3 && fade?.shape == .decibels)
  }

  // MARK: Sessions and each other

  private static let announcement: [Event] = [
    .createSession("announce", SessionConfiguration(category: .playback, options: .duckOthers)),
    .createStream("announce", "main", channels: 2, placed: true),
    .connected("announce", true),
  ]

  @Test("A duck is a stage of its own, linear in dB, as long as the attack, and leaves the gain alone")
  func duck() throws {
    var state = try Show.standard()
    for event in Self.announcement + [.session("show", .gain(.set(-6)))] {
      _ = try Policy.reduce(&state, event, at: 1)
    }
    _ = try Policy.reduce(&state, .activate("announce"), at: 2)
    let begun = LevelBuilder.levels(of: state, everything, at: 2).stages
    let duck = try #require(begun[.duck("show", "usb")])
    #expect(duck.target == Decibels(-14).amplitude && duck.shape == .decibels)
    #expect(abs(duck.seconds - 0.2) < 1e-9)
    #expect(begun[.sessionGain("show")]?.target == Decibels(-6).amplitude)
    // A stage that is made during the duck begins at the duck's present level.
    let middle = LevelBuilder.levels(of: state, everything, at: 2.1).stages[.duck("show", "usb")]
    #expect(abs((middle?.present ?? 0) - Decibels(-7).amplitude) < 1e-6)
    _ = try Policy.reduce(&state, .deactivate("announce", notifyingOthers: true), at: 3)
    let ended = LevelBuilder.levels(of: state, everything, at: 3).stages[.duck("show", "usb")]
    #expect(ended?.target == 1 && abs((ended?.seconds ?? 0) - 0.8) < 1e-9)
    #expect(ended?.revision != duck.revision)
  }

  @Test("The session's gate closes if the law silences the session, or if another session records")
  func silenced() throws {
    #expect(try level(.sessionGate("show"), .session("show", .outputMuted(true)))?.target == 0)
    #expect(try level(.sessionGate("show"), .session("show", .outputIO(.stopped)))?.target == 0)
    let state = try Show.standard(
      .createSession("recorder", SessionConfiguration(category: .record)), .activate("recorder"))
    #expect(LevelBuilder.levels(of: state, everything, at: 0).stages[.sessionGate("show")]?.target == 0)
    // The recorder closes gates of unchanged sessions, so `changes` must not give a part of the levels.
    #expect(LevelBuilder.changes(of: state, since: try Show.standard(), everything, at: 0) == nil)
  }

  @Test(
    "A capture contains no input without permission, and no microphone that is muted by its button")
  func capture() throws {
    let send = SendKey.captureInput("show", "mic")
    func target(_ events: Event...) throws -> Float? {
      let state = try Show.state(Show.ports + Show.session + [Show.present] + events)
      return LevelBuilder.levels(of: state, everything, at: 0)[send]?.target
    }
    #expect(try target() == 1)
    #expect(try target(.session("show", .permission(.denied))) == 0)
    #expect(try target(.port(.input, "mic", .hardwareMuted(true))) == 0)
  }
}
