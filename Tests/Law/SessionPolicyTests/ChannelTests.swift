import LawWorld
import SessionModel
import Testing

/// A device that is there counts with the channels that it has, whatever a preset says.
@Suite struct ChannelTests {
  /// A stage whose preset says that the output `box` has these channels, with a session that is sent there.
  private func world(declared: Int, _ channels: ChannelSelection, width: Int = 2) throws -> World {
    var world = World()
    try world.start()
    try world.declare("box", .usbAudio, channels: declared)
    try world.handle(
      .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)))
    try world.handle(.createStream("show", "band", channels: width, placed: false))
    try world.handle(.destination("show", "band", "box", .channels(channels)))
    try world.handle(.destination("show", "band", "box", .on(true)))
    try world.handle(.connected("show", true))
    return world
  }

  private func present(_ channels: Int, in world: inout World) throws {
    try world.handle(
      .portsPresent([PortPresence(.output, "box", members: (0..<channels).map { "box:\($0)" })]))
    if world.state.sessions["show"]?.isActive != true { try world.handle(.activate("show")) }
  }

  private func why(_ world: World) -> String {
    world.state.why(world.state.sessions["show"]!, world.state.activity)
  }

  @Test("A device that is there has its real channels, and the preset's or its own while it is away")
  func count() throws {
    var world = try world(declared: 4, .default)
    #expect(world.state.outputs["box"]?.channels == 4)
    try present(2, in: &world)
    #expect(world.state.outputs["box"]?.channels == 2)
    try world.handle(.portsPresent([PortPresence(.output, "box", members: [])]))
    #expect(world.state.outputs["box"]?.channels == 2)
    try present(8, in: &world)
    #expect(world.state.outputs["box"]?.channels == 8)
  }

  @Test("A channel of the preset that the device lacks is not said to be heard, and why names it")
  func missing() throws {
    var world = try world(declared: 4, .range(3...4))
    try present(2, in: &world)
    #expect(
      why(world)
        == "silent: none of its streams reaches an available output; "
        + "box has 2 channels; channels 3 and 4 do not exist")
    try present(4, in: &world)
    #expect(why(world) == "heard at box")
  }

  @Test("A channel that a glob's device lacks is accepted before the device comes, and named when it comes")
  func glob() throws {
    var world = try world(declared: 0, .range(9...9), width: 1)
    try present(2, in: &world)
    #expect(why(world).hasSuffix("; box has 2 channels; channel 9 does not exist"))
    #expect(!why(world).hasPrefix("heard"))
    // Now its channels are known, so the same route is refused.
    #expect(throws: SessionError(.badParam, "box has 2 channels, so there is no channel 10")) {
      try world.handle(.destination("show", "band", "box", .channels(.range(10...10))))
    }
  }

  @Test("Of a wide stream the channels that exist are heard, and the others are named")
  func part() throws {
    var world = try world(declared: 4, .default, width: 4)
    try present(2, in: &world)
    #expect(why(world) == "heard at box; box has 2 channels; channels 3 and 4 do not exist")
  }

  @Test("A channel of an input that does not exist feeds nothing")
  func source() throws {
    var world = try world(declared: 2, .default)
    try present(2, in: &world)
    try world.handle(
      .declarePort(
        .input, Port(id: "mic", name: "mic", type: .lineIn, globs: [PortGlob("mic:*")!], channels: 0)))
    try world.handle(.stream("show", "band", .sources([.input("mic", channels: 7...7)])))
    #expect(why(world) == "silent: its input mic is away")
    try world.handle(.portsPresent([PortPresence(.input, "mic", members: ["mic:1", "mic:2"])]))
    #expect(
      why(world)
        == "silent: none of its streams reaches an available output; "
        + "the input mic has 2 channels; channel 7 does not exist")
  }
}
