import SessionModel
import Testing

@Suite("Setting: the operator is obeyed")
struct SettingTests {
  @Test("Levels and mutes are taken in every category, active or not", arguments: ConfiguringTests.working)
  func obeyed(_ category: Category) throws {
    var world = World()
    try world.create("show", category, isActive: false)
    try world.handle(.session("show", .gain(.set(-6))))
    try world.handle(.session("show", .muted(true)))
    try world.handle(.stream("show", "main", .gain(.set(-3))))
    try world.handle(.stream("show", "main", .muted(true)))
    #expect(world.state.sessions["show"]?.gain.target == -6 && world.state.sessions["show"]?.isMuted == true)
    #expect(world.stream("show")?.gain.target == -3 && world.stream("show")?.isMuted == true)
  }

  @Test("Balance is for one and two channels")
  func pan() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.createStream("show", "wide", channels: 3, placed: false))
    try world.handle(.stream("show", "main", .pan(.set(-1))))
    #expect(world.refusal(.stream("show", "wide", .pan(.set(0)))) == .badParam)
  }

  @Test("Sources may be globs, and inputs that exist with channels they have")
  func sources() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.stream("show", "main", .sources(["a:*", "input:mic"].compactMap(StreamSource.init))))
    #expect(world.refusal(.stream("show", "main", .sources([.input("nowhere", channels: nil)]))) == .badParam)
    #expect(world.refusal(.stream("show", "main", .sources([.input("mic", channels: 1...2)]))) == .badParam)
    #expect(world.stream("show")?.sources.map(\.text) == ["a:*", "input:mic"])
  }

  @Test("A preferred output is one that is known, and not for multiRoute; a capture is for who captures")
  func refused() throws {
    var world = try World.stage()
    try world.create("show")
    try world.create("music", .playback)
    #expect(world.refusal(.session("show", .preferredOutput("usb"))) == .badParam)
    #expect(world.refusal(.session("music", .preferredOutput("nowhere"))) == .badParam)
    #expect(world.refusal(.session("music", .captureChannels(1))) == .incompatibleCategory)
    #expect(world.refusal(.port(.output, "nowhere", .muted(true))) == .notFound)
    #expect(world.refusal(.channel("mic", 2, .muted(true))) == .notFound)
  }

  @Test("The router's own settings are taken as they are")
  func router() throws {
    var world = World()
    for setting in [
      RouterSetting.ramp(.set(0.5)), .fadeCurve(.linear), .panic(true), .lock(true), .meterRate(.set(5)),
    ] {
      #expect(try world.handle(.router(setting)).isEmpty)
    }
    #expect(world.state.ramp.target == 0.5 && world.state.fadeCurve == .linear)
    #expect(world.state.isPanicking && world.state.isLocked && world.state.meterRate.target == 5)
  }

  @Test("A fade runs along the router's curve from where the value is; a stop keeps it there")
  func fades() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.session("show", .gain(.fade(-90, over: 2))))
    world.time = 1
    try world.handle(.session("show", .gain(.stop)))
    #expect(world.state.sessions["show"]?.gain.target == -20)
    try world.handle(.router(.fadeCurve(.linear)))
    try world.handle(.session("show", .gain(.set(-90))))
    try world.handle(.session("show", .gain(.fade(0, over: 2))))
    world.time = 2
    let gain = try #require(world.state.sessions["show"]?.gain)
    #expect(abs(gain.value(at: 2, isLevel: true) - -6.0206) < 0.001)
    #expect(gain.value(at: 3, isLevel: true) == 0)
  }
}
