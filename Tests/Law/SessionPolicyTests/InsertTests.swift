import Effects
import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Effects of streams, outputs, inputs and captures")
struct InsertTests {
  /// A session with a stereo stream and one of 12 channels.
  private func world() throws -> World {
    var world = try World.stage()
    try world.create("show", .multiRoute)
    try world.handle(.createStream("show", "band", channels: 2, placed: false))
    try world.handle(.createStream("show", "wide", channels: 12, placed: false))
    return world
  }

  private func refusal(_ world: World, _ event: Event) -> SessionError? {
    var state = world.state
    do throws(SessionError) {
      _ = try Policy.reduce(&state, event, at: 0)
      return nil
    } catch { return error }
  }

  private func band(_ world: World) -> SessionStream? { world.state.sessions["show"]?.streams["band"] }

  @Test("A stream has at most 8 effects, of at most 8 channels, and at most 64 streams have any")
  func limits() throws {
    var world = try world()
    let chain = [Effect("eq"), Effect("gate", isOn: false)]
    try world.handle(.insert(.stream("show", "band"), .effects(chain)))
    #expect(band(world)?.insert.effects == chain && band(world)?.insert.isEmpty == false)
    let nine = Array(repeating: Effect("eq"), count: 9)
    #expect(
      refusal(world, .insert(.stream("show", "band"), .effects(nine)))?.sentence.contains("at most 8") == true
    )
    #expect(
      refusal(world, .insert(.stream("show", "wide"), .effects(chain)))?.sentence.contains("12 channels")
        == true)
    #expect(refusal(world, .insert(.stream("show", "absent"), .effects(chain)))?.code == .notFound)
    try world.create("more", .multiRoute)
    for number in 1..<64 {
      let id = try #require(StreamID("s\(number)"))
      try world.handle(.createStream("more", id, channels: 1, placed: false))
      try world.handle(.insert(.stream("more", id), .effects(chain)))
    }
    try world.handle(.createStream("show", "more", channels: 1, placed: false))
    #expect(refusal(world, .insert(.stream("show", "more"), .effects(chain)))?.code == .full)
    try world.handle(.insert(.stream("show", "band"), .effects([])))
    #expect(band(world)?.insert.isEmpty == true)
    #expect(refusal(world, .insert(.stream("show", "more"), .effects(chain))) == nil)
  }

  @Test(
    "Each effect is set by its number; known controls are clamped, and unknown ones refused with the nearest name"
  )
  func one() throws {
    var world = try world()
    try world.handle(.insert(.stream("show", "band"), .effects([Effect("eq"), Effect("gate")])))
    try world.handle(.insert(.stream("show", "band"), .effect(2, .on(false))))
    // While the plugin is not loaded, its controls are not known.
    try world.handle(.insert(.stream("show", "band"), .effect(1, .control("HPfreq", .set(99_999)))))
    #expect(band(world)?.insert.effects.map(\.text) == ["eq HPfreq=99999", "gate off"])
    #expect(refusal(world, .insert(.stream("show", "band"), .effect(3, .on(true))))?.code == .notFound)
    #expect(refusal(world, .insert(.stream("show", "absent"), .effect(1, .on(true))))?.code == .notFound)
    var (facts, report) = (EffectFacts(), EffectsReport())
    facts.controls = [
      EffectControl(port: 1, symbol: "HPfreq", name: "", range: 10...1_000, standard: 20)
    ]
    (report.effects, report.latency) = ([facts, EffectFacts()], 0.002)
    try world.handle(.effectsReported(.stream("show", "band"), report))
    try world.handle(.insert(.stream("show", "band"), .effect(1, .control("HPfreq", .set(5_000)))))
    #expect(band(world)?.insert.effects[0].values == ["HPfreq": 1_000])
    let unknown = refusal(world, .insert(.stream("show", "band"), .effect(1, .control("HPfreg", .set(5)))))
    #expect(unknown?.code == .notFound && unknown?.sentence.contains("HPfreq") == true)
    let session = try #require(world.state.sessions["show"])
    #expect(world.state.latency(of: session, .output) >= 0.002)
    // Another plugin is another beginning.
    try world.handle(.insert(.stream("show", "band"), .effect(1, .plugin("limiter"))))
    #expect(
      band(world)?.insert.effects[0] == Effect("limiter") && band(world)?.insert.report == EffectsReport())
    #expect(world.state.reportingEffects == [.stream("show", "band")])
  }

  @Test(
    "A side chain hears a stream or an output that exists; the side chains of a chain hear one sound, and a plugin that needs one gets it"
  )
  func sideChains() throws {
    var world = try world()
    let place = InsertPlace.stream("show", "band")
    func refused(_ event: InsertSetting, _ words: String, _ code: ErrorCode = .badValue) {
      let error = refusal(world, .insert(place, event))
      #expect(error?.code == code && error?.sentence.contains(words) == true, "\(String(describing: error))")
    }
    refused(.effects([Effect("keyed-compressor")]), "needs the sound of a side chain")
    for text in ["session:show", "input:mic", "show.wide", "stream:show", "output:", "stream:a.b.c"] {
      refused(
        .effects([Effect("gate", sideChain: text)]), "write stream:<session>.<stream> or output:<output>")
    }
    try world.handle(.insert(place, .effects([Effect("keyed-compressor", sideChain: "stream:show.wide")])))
    #expect(world.state.insert(at: place)?.sideChain == .stream("show", "wide"))
    refused(.effect(1, .sideChain(nil)), "needs the sound of a side chain")
    refused(.effect(1, .sideChain("stream:show.widr")), "there is no stream show.widr", .notFound)
    refused(.effect(1, .sideChain("stream:shoe.wide")), "'show'", .notFound)
    refused(.effect(1, .sideChain("output:nowhere")), "there is no output nowhere", .notFound)
    // Another plugin hears the same.
    try world.handle(.insert(place, .effect(1, .plugin("gate"))))
    #expect(band(world)?.insert.effects.map(\.text) == ["gate sidechain=stream:show.wide"])
    let two = [Effect("gate", sideChain: "output:usb"), Effect("gate", sideChain: "stream:show.wide")]
    refused(.effects(two), "effect 1 hears output:usb, and effect 2 hears stream:show.wide")
    // What is not there yet may come later, as when a router starts again.
    try world.handle(.insert(place, .effects([Effect("gate", sideChain: "stream:show.later")])))
    try world.handle(.insert(place, .effect(1, .sideChain(nil))))
    #expect(world.state.insert(at: place)?.sideChain == nil)
  }

  @Test(
    "A control fades from where it is, by ratios if it is logarithmic, and stops where it is; a choice steps")
  func fades() throws {
    var world = try world()
    try world.handle(.insert(.stream("show", "band"), .effects([Effect("eq", values: ["HPfreq": 100])])))
    var (facts, report) = (EffectFacts(), EffectsReport())
    facts.controls = [
      EffectControl(
        port: 1, symbol: "HPfreq", name: "", range: 10...1_000, standard: 20, isLogarithmic: true),
      EffectControl(port: 2, symbol: "gain", name: "", range: -10...10, standard: 0),
      EffectControl(port: 3, symbol: "mode", name: "", range: 0...9, standard: 1, kind: .whole),
    ]
    facts.base = ["HPfreq": 20, "gain": 0, "mode": 1]
    report.effects = [facts]
    try world.handle(.effectsReported(.stream("show", "band"), report))
    func value(_ symbol: String, at time: Double) throws -> Double {
      let control = try #require(band(world)?.insert.effects[0].control(symbol, facts))
      return try #require(facts.control(symbol)).value(of: control, at: time)
    }
    func move(_ symbol: String, _ move: ControlMove, at time: Double) throws {
      world.time = time
      try world.handle(.insert(.stream("show", "band"), .effect(1, .control(symbol, move))))
    }
    try move("HPfreq", .set(900, over: 2), at: 10)
    try move("gain", .set(-8, over: 4), at: 10)
    #expect(try abs(value("HPfreq", at: 11) - 300) < 0.01 && value("HPfreq", at: 13) == 900)
    #expect(try value("gain", at: 11) == -2 && value("gain", at: 9) == 0)
    #expect(band(world)?.insert.effects[0].text == "eq HPfreq=900 gain=-8")
    try move("HPfreq", .set(100, over: 1), at: 11)
    #expect(try abs(value("HPfreq", at: 11) - 300) < 0.01)
    try move("HPfreq", .stop, at: 11.5)
    #expect(try abs(value("HPfreq", at: 20) - 173.2) < 0.1)
    try move("HPfreq", .stop, at: 12)
    #expect(try abs(value("HPfreq", at: 20) - 173.2) < 0.1)
    try move("mode", .set(3.6, over: 5), at: 12)
    #expect(try value("mode", at: 12) == 4)
    #expect(band(world)?.insert.effects[0].control("gain", facts)?.stored == 0)
    // A short name's own values are its defaults.
    #expect(Effect("high-pass").control("HPfreq", facts)?.stored == 80)
  }

  @Test("A preset of the plugin replaces the chain's values; one that the plugin does not have is refused")
  func presets() throws {
    var world = try world()
    try world.handle(
      .insert(.stream("show", "band"), .effects([Effect("eq", values: ["HPfreq": 100], isOn: false)])))
    // While the plugin is not loaded, its presets are not known.
    try world.handle(.insert(.stream("show", "band"), .effect(1, .preset("Anything"))))
    #expect(band(world)?.insert.effects == [Effect("eq", preset: "Anything", isOn: false)])
    var (facts, report) = (EffectFacts(), EffectsReport())
    facts.controls = [EffectControl(port: 1, symbol: "gain", name: "", range: 0...1, standard: 0)]
    facts.presets = ["Warm hall", "Small room"]
    report.effects = [facts]
    try world.handle(.effectsReported(.stream("show", "band"), report))
    let unknown = refusal(world, .insert(.stream("show", "band"), .effect(1, .preset("Warm Hal"))))
    #expect(unknown?.code == .notFound && unknown?.sentence.contains("'Warm hall'") == true)
    try world.handle(.insert(.stream("show", "band"), .effect(1, .preset("Warm hall"))))
    #expect(band(world)?.insert.effects[0].preset == "Warm hall")
    try world.handle(.insert(.stream("show", "band"), .effect(1, .preset("urn:x:preset"))))
    try world.handle(.insert(.stream("show", "band"), .effect(1, .preset(nil))))
    #expect(band(world)?.insert.effects == [Effect("eq", isOn: false)])
  }

  @Test("The session's sentence says which effect is left out, and why")
  func sentence() throws {
    var world = try world()
    try world.handle(.insert(.stream("show", "band"), .effects([Effect("eq"), Effect("gate")])))
    var (facts, report) = (EffectFacts(), EffectsReport())
    func why() throws -> String {
      world.state.why(try #require(world.state.sessions["show"]), world.state.activity)
    }
    report.effects = [EffectFacts(), facts]
    try world.handle(.effectsReported(.stream("show", "band"), report))
    #expect(try !why().contains("effect"))
    (facts.state, facts.why) = (.faulty, "it has crashed")
    report.effects[1] = facts
    try world.handle(.effectsReported(.stream("show", "band"), report))
    #expect(try why().contains("band passes by effect 2: it has crashed"))
  }

  @Test("Reports of streams that are gone or have no effects are dropped")
  func reports() throws {
    var world = try world()
    var report = EffectsReport()
    report.latency = 1
    try world.handle(.effectsReported(.stream("show", "band"), report))
    try world.handle(.effectsReported(.stream("show", "absent"), report))
    try world.handle(.effectsReported(.stream("absent", "band"), report))
    #expect(band(world)?.insert.report == EffectsReport() && world.state.reportingEffects.isEmpty)
    try world.handle(.router(.bypassEffects(true)))
    try world.handle(.router(.retryEffects))
    #expect(world.state.isBypassingEffects && world.state.effectRetries == 1)
  }

  @Test(
    "Outputs, inputs and captures have effects of their own, which add to their latencies and to alignment")
  func places() throws {
    var world = try world()
    let places: [InsertPlace] = [.output("usb"), .input("mic"), .capture("show")]
    var report = EffectsReport()
    (report.effects, report.latency) = ([EffectFacts()], 0.25)
    let alignment = try #require(world.state.alignments["headphones"])
    try world.handle(.port(.output, "usb", .alignmentGroup("house")))
    try world.handle(.port(.output, "headphones", .alignmentGroup("house")))
    for place in places {
      try world.handle(.insert(place, .effects([Effect("eq")])))
      try world.handle(.effectsReported(place, report))
      #expect(world.state.insert(at: place)?.effects == [Effect("eq")])
      #expect(refusal(world, .insert(place, .effect(2, .on(false))))?.code == .notFound)
    }
    #expect(world.state.inserts().count == 3 && world.state.reportingEffects == places)
    #expect(world.state.outputs["usb"]?.latency == 0.25 && world.state.inputs["mic"]?.latency == 0.25)
    let aligned = try #require(world.state.alignments["headphones"])
    #expect(abs(aligned - alignment - 0.25) < 1e-9 && world.state.alignments["usb"] == 0)
    for place: InsertPlace in [.output("absent"), .input("absent"), .capture("absent")] {
      #expect(refusal(world, .insert(place, .effects([])))?.code == .notFound)
    }
    for place in places { try world.handle(.insert(place, .effects([]))) }
    #expect(world.state.inserts().isEmpty)
  }

  @Test("An output that needs its effects is muted until all that are on work, and says why")
  func fallback() throws {
    var world = try world()
    let usb = InsertPlace.output("usb")
    func insert() -> Insert { world.state.insert(at: usb) ?? Insert() }
    try world.handle(.insert(usb, .fallback(.mute)))
    #expect(!insert().isSilencing)
    try world.handle(.insert(usb, .effects([Effect("limiter"), Effect("eq", isOn: false)])))
    #expect(
      insert().isSilencing && insert().faults(of: "usb") == ["usb is muted until its effects are loaded"])
    var (report, facts) = (EffectsReport(), EffectFacts())
    facts.state = .working
    report.effects = [facts, EffectFacts()]
    try world.handle(.effectsReported(usb, report))
    #expect(!insert().isSilencing && insert().faults(of: "usb").isEmpty)
    (facts.state, facts.why) = (.faulty, "it has crashed")
    report.effects = [facts, facts]
    try world.handle(.effectsReported(usb, report))
    #expect(insert().isSilencing)
    #expect(
      insert().faults(of: "usb") == [
        "usb is muted, because it needs effect 1: it has crashed", "usb passes by effect 2: it has crashed",
      ])
    try world.handle(.insert(usb, .fallback(.dry)))
    #expect(
      !insert().isSilencing && insert().faults(of: "usb")[0] == "usb passes by effect 1: it has crashed")
  }
}
