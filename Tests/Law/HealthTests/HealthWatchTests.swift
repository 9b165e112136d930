import Checkout
import Effects
import LawWorld
import SessionModel
import Testing

@testable import Health

@Suite("Health: each condition begins and ends once")
struct HealthWatchTests {
  @Test("Every rule has one check, in the order of the rules")
  func table() { #expect(HealthWatch.checks.map { $0.rule } == HealthRule.allCases) }

  @Test("The page about health describes every rule")
  func page() throws {
    let page = try Checkout.text("docs/operate/health.md")
    for rule in HealthRule.allCases {
      #expect(page.contains("| `\(rule.rawValue)` | \(rule.severity.rawValue) |"))
    }
  }

  @Test("A healthy stage has no condition")
  func healthy() throws {
    var patient = try Patient()
    for _ in 0..<100 { #expect(try patient.pass(1).isEmpty) }
    #expect(patient.state.health.sentence == "ok")
  }

  @Test("A missing server is told after two seconds, and is over when the server is back")
  func server() throws {
    var patient = try Patient()
    try patient.world.lose()
    #expect(try patient.pass(1).isEmpty)
    #expect(try patient.pass(2) == [.server])
    #expect(patient.state.health.sentence.contains("start JACK"))
    #expect(try patient.pass(5).isEmpty)
    try patient.world.start()
    #expect(try patient.pass(1) == [.server])
    #expect(patient.state.health.sentence == "ok")
  }

  @Test("An exclusive port that the router has left to another program is an alarm with advice that fits")
  func contested() throws {
    var patient = try Patient()
    try patient.world.handle(.contestedPorts([ContestedPort("Src:out_1", client: "second")]))
    #expect(try patient.pass(1) == [.contested])
    #expect(
      patient.state.health.sentence.hasPrefix(
        "second changes the cables of Src:out_1 again and again, so the router has left them to it; end second"
      ))
    try patient.world.handle(.contestedPorts([]))
    #expect(try patient.pass(1) == [.contested])
  }

  @Test("A monitor that would come back to its own output is an alarm, and why says so")
  func loop() throws {
    var patient = try Patient()
    try patient.world.create("show")
    try patient.world.handle(.streamLoops("show", "main", ["usb"]))
    #expect(try patient.pass(1) == [.loop])
    #expect(patient.state.health.sentence.contains("show.main takes the monitor of usb and goes to usb"))
    let session = try #require(patient.state.sessions["show"])
    #expect(patient.state.why(session, patient.state.activity).contains("because it would howl"))
    try patient.world.handle(.streamLoops("show", "main", []))
    #expect(try patient.pass(1) == [.loop])
  }

  @Test("A program that holds up the server")
  func stall() throws {
    var patient = try Patient()
    try patient.world.handle(.hungPrograms([HungProgram("synth", isDisconnected: true)]))
    #expect(try patient.pass(1) == [.stall])
    #expect(patient.state.health.sentence.contains("synth"))
    try patient.world.handle(.hungPrograms([]))
    #expect(try patient.pass(1) == [.stall])
  }

  @Test("Voice processing that is late, finds no echo or is refused is told with the session and what to do")
  func voice() throws {
    var patient = try Patient()
    try patient.world.create("call", .playAndRecord)
    try patient.world.handle(.session("call", .captureChannels(1)))
    try patient.world.handle(
      .configure("call", SessionConfiguration(category: .playAndRecord, mode: .voiceChat)))
    var report = VoiceReport()
    report.state = .working
    try patient.world.handle(.voiceReported("call", report))
    #expect(try patient.pass(1).isEmpty)
    let faults: [(VoiceState, String?, String)] = [
      (.late, nil, "real-time priority"), (.diverged, nil, "/input/<i>/echo"),
      (.off, "11,025 Hz is no rate of the library", "11,025 Hz"),
    ]
    for (state, refusal, words) in faults {
      (report.state, report.refusal) = (state, refusal)
      try patient.world.handle(.voiceReported("call", report))
      #expect(try patient.pass(1) == [.voice])
      #expect(patient.state.health.sentence.contains("call: "))
      #expect(patient.state.health.sentence.contains(words))
      (report.state, report.refusal) = (.working, nil)
      try patient.world.handle(.voiceReported("call", report))
      #expect(try patient.pass(1) == [.voice])
      #expect(patient.state.health.sentence == "ok")
    }
  }

  @Test("A plugin that is left out is told until it works again or is gone, with the way to try it again")
  func effects() throws {
    var patient = try Patient()
    try patient.world.create("show", .multiRoute)
    try patient.world.handle(.createStream("show", "band", channels: 2, placed: false))
    try patient.world.handle(.insert(.stream("show", "band"), .effects([Effect("eq"), Effect("gate")])))
    func report(_ states: EffectState...) throws {
      var report = EffectsReport()
      report.effects = states.map { state in
        var facts = EffectFacts()
        (facts.state, facts.why) = (state, state == .faulty ? "it has crashed" : nil)
        return facts
      }
      try patient.world.handle(.effectsReported(.stream("show", "band"), report))
    }
    try report(.loading, .working)
    #expect(try patient.pass(1).isEmpty)
    for isRemoved in [false, true] {
      try report(.working, .faulty)
      #expect(try patient.pass(1) == [.effects])
      let sentence = patient.state.health.sentence
      #expect(sentence.contains("show.band passes by effect 2") && sentence.contains("it has crashed"))
      #expect(sentence.contains("/effects/retry"))
      if isRemoved {
        try patient.world.handle(.removeStream("show", "band"))
      } else {
        try report(.working, .working)
      }
      #expect(try patient.pass(1) == [.effects])
      #expect(patient.state.health.sentence == "ok")
    }
  }

  @Test("A talkback that is open for its time is told until it closes; without a time it never is")
  func forgottenTalkback() throws {
    var patient = try Patient()
    try patient.world.create("talk")
    try patient.world.handle(.stream("talk", "main", .sources([.input("mic", channels: nil)])))
    try patient.world.handle(.session("talk", .talkback(.outputs(["headphones"]))))
    try patient.world.handle(.session("talk", .talkback(.alarm(10))))
    try patient.world.handle(.talkback("talk", true))
    #expect(try patient.pass(9).isEmpty)
    #expect(try patient.pass(2) == [.talkback])
    #expect(patient.state.health.sentence.contains("talkback talk is still open"))
    try patient.world.handle(.closeTalkback("talk"))
    #expect(try patient.pass(1) == [.talkback])
    try patient.world.handle(.session("talk", .talkback(.alarm(0))))
    try patient.world.handle(.talkback("talk", true))
    #expect(try patient.pass(4_000).isEmpty)
  }

  @Test("A session on air that is silent for its time is dead air; without a time it never is")
  func deadAir() throws {
    var patient = try Patient()
    try patient.world.create("show", .playback)
    try patient.world.create("bed", .playback, options: [.mixWithOthers])
    try patient.world.handle(.session("show", .quietTime(.set(10))))
    try patient.world.handle(.sounding("show", true))
    #expect(try patient.pass(60).isEmpty)
    try patient.world.handle(.sounding("show", false))
    #expect(try patient.pass(9).isEmpty)
    #expect(try patient.pass(2) == [.deadAir])
    #expect(patient.state.health.sentence.contains("show is on air without sound"))
    try patient.world.handle(.sounding("show", true))
    #expect(try patient.pass(1) == [.deadAir])
  }

  @Test(
    "Silence that was meant is no dead air",
    arguments: [
      Event.session("show", .muted(true)), .session("show", .gain(.set(-90))), .beginInterruption("phone"),
      .deactivate("show", notifyingOthers: true),
    ])
  func meantSilence(event: Event) throws {
    var patient = try Patient()
    try patient.world.create("show", .playback)
    try patient.world.handle(.session("show", .quietTime(.set(3))))
    try patient.world.handle(event)
    #expect(try patient.pass(20).isEmpty)
  }

  @Test("A load above 70 % begins once, and ends below 60 %")
  func load() throws {
    var patient = try Patient()
    for (load, changes) in [(0.69, []), (0.71, [HealthRule.load]), (0.65, []), (0.72, []), (0.59, [.load])] {
      patient.world.state.loop.load.now = load
      #expect(try patient.pass(1) == changes)
    }
  }

  @Test("Xruns are told for a minute after the last one, with their cause")
  func xruns() throws {
    var patient = try Patient()
    patient.world.state.loop.counts.xruns = 1
    patient.world.state.loop.flight = FlightRecord(
      time: 1, isGlitch: true, cause: .server, why: "the server skipped 512 frames", delay: 0.01,
      period: 0.005, gap: 0.015, own: 0.001,
      stages: [:], lost: 512, frames: 256, ramps: 0, plan: 1, switches: nil)
    #expect(try patient.pass(1) == [.xruns])
    #expect(patient.state.health.sentence.contains("(server: the server skipped 512 frames)"))
    #expect(try patient.pass(50).isEmpty)
    patient.world.state.loop.counts.xruns = 2
    #expect(try patient.pass(50).isEmpty)
    #expect(try patient.pass(11) == [.xruns])
  }

  @Test("A missing priority is told only while it is known to be missing")
  func priority() throws {
    var patient = try Patient()
    patient.facts.isRealtime = nil
    #expect(try patient.pass(1).isEmpty)
    patient.facts.isRealtime = false
    #expect(try patient.pass(1) == [.priority])
    patient.facts.isRealtime = true
    #expect(try patient.pass(1) == [.priority])
  }

  @Test("A disk with less than 1 GiB of room, until there is a quarter more")
  func disk() throws {
    var patient = try Patient()
    for (free, changes) in [
      (1 << 30, []), (1 << 30 - 1, [HealthRule.disk]), (1 << 30 + 1, []), (2 << 30, [.disk]),
    ] {
      patient.facts.disk = HealthFacts.Disk(folder: "/show", free: free)
      #expect(try patient.pass(1) == changes)
      let isFull = patient.facts.disk.map { $0.free < 1 << 30 } == true
      #expect(!isFull || patient.state.health.sentence.contains("set `media` to a folder on another disk"))
    }
  }

  @Test("An output that limits for ten seconds without a break")
  func limiting() throws {
    var patient = try Patient()
    func limit(_ isLimiting: Bool) -> Event { .measured(.output, "usb", latency: 0, isLimiting: isLimiting) }
    try patient.world.handle(limit(true))
    #expect(try patient.pass(9).isEmpty)
    try patient.world.handle(limit(false))
    #expect(try patient.pass(1).isEmpty)
    try patient.world.handle(limit(true))
    #expect(try patient.pass(10).isEmpty)
    #expect(try patient.pass(1) == [.limiting])
    try patient.world.handle(limit(false))
    #expect(try patient.pass(1) == [.limiting])
  }

  @Test("A server that comes back with another rate, until the rate is as before")
  func rate() throws {
    var patient = try Patient()
    #expect(try patient.pass(1).isEmpty)
    var server = patient.state.server
    server.rate = 44_100
    try patient.world.handle(.server(server))
    #expect(try patient.pass(1) == [.rate])
    #expect(patient.state.health.sentence.contains("44100 Hz and not at 48000 Hz"))
    server.rate = 48_000
    try patient.world.handle(.server(server))
    #expect(try patient.pass(1) == [.rate])
  }

  @Test("A bridge whose clock is off by 100 ppm")
  func drift() throws {
    var patient = try Patient()
    for (drift, changes) in [(50e-6, []), (100e-6, [HealthRule.drift]), (-70e-6, []), (10e-6, [.drift])] {
      patient.world.state.loop.outputDrifts = ["far": drift]
      #expect(try patient.pass(1) == changes)
      if drift == 100e-6 { #expect(patient.state.health.sentence.contains("output far by 100 ppm")) }
    }
  }

  @Test("A source that is also heard past the router")
  func direct() throws {
    var patient = try Patient()
    try patient.world.create("show", .playback)
    try patient.world.handle(.heardDirectly("show", "main", ["system:playback_1"]))
    #expect(try patient.pass(1) == [.direct])
    try patient.world.handle(.directPrograms([DirectProgram(client: "mpv", sinks: ["system:playback_1"])]))
    #expect(try patient.pass(1).isEmpty)
    #expect(patient.state.health.sentence.contains("show, mpv are also heard directly"))
    try patient.world.handle(.heardDirectly("show", "main", []))
    try patient.world.handle(.directPrograms([]))
    #expect(try patient.pass(1) == [.direct])
  }

  @Test("Surfaces that refuse packets, and clients that lose some")
  func clients() throws {
    var patient = try Patient()
    patient.facts.refusing = ["tablet (10.0.0.5:9000)"]
    #expect(try patient.pass(1) == [.surface])
    patient.facts.refusing = []
    #expect(try patient.pass(1) == [.surface])
    patient.facts.silent = ["phone (10.0.0.6:9000)"]
    #expect(try patient.pass(1) == [.surface])
    #expect(patient.state.health.sentence.hasPrefix("phone (10.0.0.6:9000) does not answer"))
    #expect(try patient.pass(10).isEmpty)
    #expect(try patient.told(.router(.silence(.surface, true))) == [.surface])
    #expect(try patient.told(.router(.silence(.surface, false))) == [.surface])
    patient.facts.silent = []
    #expect(try patient.pass(1) == [.surface])
    patient.facts.losses = ["phone (10.0.0.6:9000)": 3]
    #expect(try patient.pass(1) == [.packets])
    #expect(try patient.pass(58).isEmpty)
    #expect(try patient.pass(3) == [.packets])
  }

  @Test("A silenced rule raises no alarm, and raises it when it is no longer silenced")
  func silenced() throws {
    var patient = try Patient()
    patient.world.state.loop.load.now = 0.9
    #expect(try patient.pass(1) == [.load])
    #expect(try patient.told(.router(.silence(.load, true))) == [.load])
    #expect(patient.state.health.sentence == "ok")
    #expect(try patient.pass(10).isEmpty)
    #expect(try patient.told(.router(.silence(.load, false))) == [.load])
    #expect(try patient.told(.router(.silence(.load, false))).isEmpty)
    try #require(patient.state.health.alarms.map(\.rule) == [.load])
    _ = try patient.told(.router(.silence(.load, true)))
    patient.world.state.loop.load.now = 0.1
    #expect(try patient.pass(1).isEmpty)
    #expect(try patient.told(.router(.silence(.load, false))).isEmpty)
  }

  @Test("The weightiest alarm is the state, and the list has all of them")
  func weight() throws {
    var patient = try Patient()
    patient.facts.refusing = ["tablet"]
    patient.world.state.loop.load.now = 0.9
    #expect(try patient.pass(1) == [.load, .surface])
    #expect(patient.state.health.sentence.contains("audio thread"))
    #expect(patient.state.health.alarms.map(\.rule) == [.load, .surface])
  }
}

/// A stage, what is measured of it, and a watch that looks at both once a second.
private struct Patient {
  var world: World
  var facts = HealthFacts()
  private var watch = HealthWatch()
  private var time = 0.0
  var state: RouterState { world.state }

  init() throws { world = try World.stage() }

  /// Lets seconds pass, and returns the rules whose alarms went on or off.
  mutating func pass(_ seconds: Int) throws -> [HealthRule] {
    var changed: [HealthRule] = []
    for _ in 0..<seconds {
      time += 1
      world.time = time
      let changes = watch.look(at: state, facts, time: time)
      if !changes.isEmpty { changed += try told(.health(changes)) }
    }
    return changed
  }

  /// The rules whose alarms an event switches on or off.
  mutating func told(_ event: Event) throws -> [HealthRule] {
    try world.handle(event).compactMap { if case .health(let rule, _, _) = $0 { rule } else { nil } }
  }
}
