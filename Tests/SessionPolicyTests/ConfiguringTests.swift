import SessionModel
import Testing

@Suite("Configuring: what may stand together")
struct ConfiguringTests {
  static let working: [Category] = [.multiRoute, .playback, .soloAmbient, .ambient]

  @Test("Four categories work, the others come later", arguments: Category.allCases)
  func categories(_ category: Category) throws {
    var world = try World.stage()
    try world.create("show", .playback)
    let refusal = world.refusal(.configure("show", SessionConfiguration(category: category)))
    #expect(refusal == (Self.working.contains(category) ? nil : .notYet))
  }

  @Test("Only the default mode works", arguments: Mode.allCases)
  func modes(_ mode: Mode) throws {
    var world = try World.stage()
    try world.create("show", .playback)
    let refusal = world.refusal(.configure("show", SessionConfiguration(category: .playback, mode: mode)))
    #expect(refusal == (mode == .default ? nil : .notYet))
  }

  @Test(
    "An option is taken where the category knows it, -50 elsewhere, and 16 where it would act on others",
    arguments: working)
  func options(_ category: Category) throws {
    var world = try World.stage()
    try world.create("show", category)
    func refusal(_ option: SessionOptions) -> ErrorCode? {
      world.refusal(.configure("show", SessionConfiguration(category: category, options: option)))
    }
    #expect(refusal(.mixWithOthers) == (category == .soloAmbient ? .badParam : nil))
    #expect(refusal(.duckOthers) == (category == .soloAmbient ? .badParam : .notYet))
    #expect(
      refusal(.interruptSpokenAudioAndMixWithOthers)
        == ([.soloAmbient, .ambient].contains(category) ? .badParam : .notYet))
    #expect(refusal(.allowBluetoothHFP) == .badParam)
    #expect(refusal(.defaultToSpeaker) == .badParam)
    // What a category has anyway is accepted and changes nothing.
    #expect(refusal(.allowBluetoothA2DP) == (category == .multiRoute ? .badParam : nil))
    #expect(world.state.sessions["show"]?.options.contains(.allowBluetoothA2DP) == false)
  }

  @Test("A change is told once with what came of it, and none is not told")
  func told() throws {
    var world = try World.stage()
    try world.create("show", .playback)
    let changed = SessionConfiguration(category: .playback, options: [.mixWithOthers, .allowAirPlay])
    #expect(
      try world.handle(.configure("show", changed))
        == [.category("show", SessionConfiguration(category: .playback, options: .mixWithOthers))])
    #expect(try world.handle(.configure("show", changed)).isEmpty)
  }

  @Test("An active session moves at once when its category changes, with reason 3")
  func routeChange() throws {
    var world = try World.stage()
    try world.create("show")
    let told = try world.handle(.configure("show", SessionConfiguration(category: .playback)))
    #expect(told.routeReasons == ["show": .categoryChange])
    #expect(world.state.sessions["show"]?.route == Route(outputs: ["headphones"]))
  }
}
