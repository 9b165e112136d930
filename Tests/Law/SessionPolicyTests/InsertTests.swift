import Effects
import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Effects of streams")
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
    try world.handle(.stream("show", "band", .effects(chain)))
    #expect(band(world)?.effects == chain && band(world)?.hasEffects == true)
    let nine = Array(repeating: Effect("eq"), count: 9)
    #expect(refusal(world, .stream("show", "band", .effects(nine)))?.sentence.contains("at most 8") == true)
    #expect(
      refusal(world, .stream("show", "wide", .effects(chain)))?.sentence.contains("12 channels") == true)
    #expect(refusal(world, .stream("show", "nobody", .effects(chain)))?.code == .notFound)
    try world.create("more", .multiRoute)
    for number in 1..<64 {
      let id = try #require(StreamID("s\(number)"))
      try world.handle(.createStream("more", id, channels: 1, placed: false))
      try world.handle(.stream("more", id, .effects(chain)))
    }
    try world.handle(.createStream("show", "more", channels: 1, placed: false))
    #expect(refusal(world, .stream("show", "more", .effects(chain)))?.code == .full)
    try world.handle(.stream("show", "band", .effects([])))
    #expect(band(world)?.hasEffects == false)
    #expect(refusal(world, .stream("show", "more", .effects(chain))) == nil)
  }

  @Test(
    "Each effect is set by its number; known controls are clamped, and unknown ones refused with the nearest name"
  )
  func one() throws {
    var world = try world()
    try world.handle(.stream("show", "band", .effects([Effect("eq"), Effect("gate")])))
    try world.handle(.stream("show", "band", .effect(2, .on(false))))
    // While the plugin is not loaded, nobody knows its controls.
    try world.handle(.stream("show", "band", .effect(1, .control("HPfreq", 99_999))))
    #expect(band(world)?.effects.map(\.text) == ["eq HPfreq=99999", "gate off"])
    #expect(refusal(world, .stream("show", "band", .effect(3, .on(true))))?.code == .notFound)
    #expect(refusal(world, .stream("show", "nobody", .effect(1, .on(true))))?.code == .notFound)
    var (facts, report) = (EffectFacts(), EffectsReport())
    facts.controls = [
      EffectControl(port: 1, symbol: "HPfreq", name: "", range: 10...1_000, standard: 20)
    ]
    (report.effects, report.latency) = ([facts, EffectFacts()], 0.002)
    try world.handle(.effectsReported("show", "band", report))
    try world.handle(.stream("show", "band", .effect(1, .control("HPfreq", 5_000))))
    #expect(band(world)?.effects[0].values == ["HPfreq": 1_000])
    let unknown = refusal(world, .stream("show", "band", .effect(1, .control("HPfreg", 5))))
    #expect(unknown?.code == .notFound && unknown?.sentence.contains("HPfreq") == true)
    let session = try #require(world.state.sessions["show"])
    #expect(world.state.latency(of: session, .output) >= 0.002)
    // Another plugin is another beginning.
    try world.handle(.stream("show", "band", .effect(1, .plugin("limiter"))))
    #expect(band(world)?.effects[0] == Effect("limiter") && band(world)?.effectsReport == EffectsReport())
    #expect(world.state.reportingEffects == ["show"])
  }

  @Test("The session's sentence says which effect is left out, and why")
  func sentence() throws {
    var world = try world()
    try world.handle(.stream("show", "band", .effects([Effect("eq"), Effect("gate")])))
    var (facts, report) = (EffectFacts(), EffectsReport())
    func why() throws -> String {
      world.state.why(try #require(world.state.sessions["show"]), world.state.activity)
    }
    report.effects = [EffectFacts(), facts]
    try world.handle(.effectsReported("show", "band", report))
    #expect(try !why().contains("effect"))
    (facts.state, facts.why) = (.faulty, "it has crashed")
    report.effects[1] = facts
    try world.handle(.effectsReported("show", "band", report))
    #expect(try why().contains("band passes by effect 2: it has crashed"))
  }

  @Test("Reports of streams that are gone or have no effects are dropped")
  func reports() throws {
    var world = try world()
    var report = EffectsReport()
    report.latency = 1
    try world.handle(.effectsReported("show", "band", report))
    try world.handle(.effectsReported("show", "nobody", report))
    try world.handle(.effectsReported("nobody", "band", report))
    #expect(band(world)?.effectsReport == EffectsReport() && world.state.reportingEffects.isEmpty)
    try world.handle(.router(.bypassEffects(true)))
    try world.handle(.router(.retryEffects))
    #expect(world.state.isBypassingEffects && world.state.effectRetries == 1)
  }
}
