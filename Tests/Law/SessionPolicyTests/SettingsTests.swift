import LawWorld
import SessionModel
import Testing

@Suite("Settings: the operator is obeyed")
struct SettingsTests {
  @Test(
    "Levels and mutes are accepted in every category, whether the session is active or not",
    arguments: CategoriesTests.working)
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

  /// The events that set a level and its maximum, and the level after them.
  struct Limited: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let gain: @Sendable (ControlMove) -> Event
    let maximum: @Sendable (Double) -> Event
    let control: @Sendable (RouterState) -> Control?
  }

  static let limited = [
    Limited(
      testDescription: "session", gain: { .session("show", .gain($0)) },
      maximum: { .session("show", .maximum($0)) }, control: { $0.sessions["show"]?.gain }),
    Limited(
      testDescription: "output", gain: { .port(.output, "usb", .gain($0)) },
      maximum: { .port(.output, "usb", .maximum($0)) }, control: { $0.outputs["usb"]?.gain }),
    Limited(
      testDescription: "input", gain: { .port(.input, "mic", .gain($0)) },
      maximum: { .port(.input, "mic", .maximum($0)) }, control: { $0.inputs["mic"]?.gain }),
  ]

  @Test(
    "A maximum without a level is in force at once, and a lowered one lowers the level", arguments: limited)
  func maxima(_ level: Limited) throws {
    var world = try World.stage()
    try world.create("show")
    func gain() -> Double? { level.control(world.state)?.target }
    try world.handle(level.maximum(-12))
    #expect(gain() == -12)
    // A higher maximum leaves the level where it is.
    try world.handle(level.maximum(0))
    #expect(gain() == -12)
    // Whatever asks for more, such as a preset, gets the maximum.
    try world.handle(level.gain(.store(6)))
    #expect(gain() == 0 && level.control(world.state)?.stored == 6)
    try world.handle(level.gain(.set(5, over: 10)))
    #expect(gain() == 0)
    try world.handle(level.gain(.set(-3)))
    try world.handle(level.maximum(-2))
    #expect(gain() == -3)
  }

  @Test("A lowered maximum holds for a level on its way, too", arguments: limited)
  func maximumDuringFade(_ level: Limited) throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(level.gain(.set(-60)))
    try world.handle(level.gain(.set(0, over: 10)))
    world.time = 1
    try world.handle(level.maximum(-10))
    #expect(level.control(world.state)?.target == -10)
    #expect(level.control(world.state)?.isFading(at: 1) == false)
    try world.handle(level.gain(.set(-60, over: 10)))
    // The level has not yet come down to the new maximum.
    try world.handle(level.maximum(-20))
    #expect(level.control(world.state)?.value(at: 1, isLevel: true) == -60)
    // A fade that is below a maximum goes on.
    try world.handle(level.gain(.set(-30, over: 10)))
    try world.handle(level.maximum(-25))
    #expect(level.control(world.state)?.isFading(at: 2) == true)
  }

  @Test("Balance is for streams of one or two channels; a neutral one is none")
  func pan() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.createStream("show", "wide", channels: 3, placed: false))
    try world.handle(.stream("show", "main", .pan(.set(-1))))
    #expect(world.refusal(.stream("show", "wide", .pan(.set(0.1)))) == .badParam)
    try world.handle(.stream("show", "wide", .pan(.store(0))))
    #expect(world.refusal(.destination("show", "wide", "usb", .pan(.set(0.1)))) == .badParam)
    try world.handle(.destination("show", "wide", "usb", .pan(.store(0))))
  }

  @Test("Sources may be globs, or inputs and channels that exist")
  func sources() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.stream("show", "main", .sources(["a:*", "input:mic"].compactMap(StreamSource.init))))
    #expect(world.refusal(.stream("show", "main", .sources([.input("nowhere", channels: nil)]))) == .badParam)
    #expect(world.refusal(.stream("show", "main", .sources([.input("mic", channels: 1...2)]))) == .badParam)
    #expect(world.stream("show")?.sources.map(\.text) == ["a:*", "input:mic"])
  }

  @Test(
    "Unknown outputs, a preferred output for multiRoute, and a capture in a category without input are refused"
  )
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

  @Test("The router's own settings are accepted as they are")
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

  @Test("A fade follows the router's curve from the present value; stop keeps the value that it has reached")
  func fades() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.session("show", .gain(.set(-90, over: 2))))
    world.time = 1
    try world.handle(.session("show", .gain(.stop)))
    #expect(world.state.sessions["show"]?.gain.target == -20)
    try world.handle(.router(.fadeCurve(.linear)))
    try world.handle(.session("show", .gain(.set(-90))))
    try world.handle(.session("show", .gain(.set(0, over: 2))))
    world.time = 2
    let gain = try #require(world.state.sessions["show"]?.gain)
    #expect(abs(gain.value(at: 2, isLevel: true) - -6.0206) < 0.001)
    #expect(gain.value(at: 3, isLevel: true) == 0)
  }
}
