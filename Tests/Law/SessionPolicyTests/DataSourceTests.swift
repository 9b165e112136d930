import LawWorld
import SessionModel
import Testing

@Suite("Data sources: one input with several sources")
struct DataSourceTests {
  private static func port(_ id: PortID = "mic", own: [String] = [], sources: [String]) -> Port {
    var port = Port(
      id: id, name: id.name, type: .usbAudio, globs: own.compactMap { PortGlob($0) }, channels: 1)
    port.sources = sources.map { Port.DataSource(id: $0, globs: [PortGlob("Array:\($0)")!]) }
    return port
  }

  private func world(own: [String] = []) throws -> World {
    var world = World()
    try world.start()
    try world.handle(.declarePort(.input, Self.port(own: own, sources: ["front", "back"])))
    try world.handle(.portsPresent([PortPresence(.input, "mic", members: ["Array:front"])]))
    try world.create("show")
    try world.create("asleep", isActive: false)
    world.told = []
    return world
  }

  @Test(
    "Choosing another data source of an input in use notifies active sessions of a route change with reason 8 and unchanged ports"
  )
  func reconfigured() throws {
    var world = try world()
    let route = Route(input: "mic", outputs: [])
    #expect(world.state.sessions["show"]?.route == route)
    #expect(
      try world.handle(.port(.input, "mic", .source("back"))) == [
        .route("show", .routeConfigurationChange, previous: route, current: route)
      ])
    #expect(world.state.inputs["mic"]?.memberGlobs.map(\.text) == ["Array:back"])
    // Choosing the same source again sends no notification.
    #expect(try world.handle(.port(.input, "mic", .source("back"))).isEmpty)
    #expect(
      try world.handle(.port(.input, "mic", .source(nil))).routeReasons == ["show": .routeConfigurationChange]
    )
  }

  @Test("Without a choice a port uses its own JACK ports, or its first data source if it has none")
  func unchosen() throws {
    #expect(Self.port(sources: ["front", "back"]).currentSource?.id == "front")
    let port = Self.port(own: ["Array:mix"], sources: ["front"])
    #expect(port.currentSource == nil && port.memberGlobs.map(\.text) == ["Array:mix"])
  }

  @Test(
    "A data source that the port does not have is refused; one of an unused port is remembered")
  func refused() throws {
    var world = try world()
    #expect(world.refusal(.port(.input, "mic", .source("side"))) == .badParam)
    try world.handle(.declarePort(.input, Self.port("line", sources: ["a", "b"])))
    #expect(try world.handle(.port(.input, "line", .source("b"))).isEmpty)
    #expect(world.state.inputs["line"]?.currentSource?.id == "b")
  }

  @Test(
    "A chosen data source stays chosen when the port is declared again, unless it no longer has that source")
  func redeclared() throws {
    var world = try world()
    try world.handle(.port(.input, "mic", .source("back")))
    try world.handle(.declarePort(.input, Self.port(sources: ["side", "back"])))
    #expect(world.state.inputs["mic"]?.source == "back")
    #expect(world.state.inputs["mic"]?.members == ["Array:front"])
    try world.handle(.declarePort(.input, Self.port(sources: ["side"])))
    #expect(world.state.inputs["mic"]?.source == nil)
    #expect(world.state.inputs["mic"]?.members == [])
  }

  // MARK: Sources of modes

  /// An input with the sources `front`, which video recordings choose, and `back`.
  private func worldOfModes() throws -> World {
    var world = World()
    try world.start()
    var port = Self.port(own: ["Array:mix"], sources: ["front", "back"])
    port.sources[0].modes = [.videoRecording]
    try world.handle(.declarePort(.input, port))
    try world.handle(.portsPresent([PortPresence(.input, "mic", members: ["Array:mix"])]))
    try world.plug("usb", .usbAudio)
    try world.create("film", .playAndRecord, options: .mixWithOthers)
    world.told = []
    return world
  }

  private func source(_ world: World) -> String? { world.state.inputs["mic"]?.currentSource?.id }

  private func configure(_ id: SessionID, _ mode: Mode) -> Event {
    .configure(
      id, SessionConfiguration(category: .playAndRecord, mode: mode, options: .mixWithOthers))
  }

  @Test(
    "A mode chooses the source that is meant for it, while an active session in that mode captures from the input"
  )
  func modes() throws {
    var world = try worldOfModes()
    #expect(source(world) == nil)
    let told = try world.handle(configure("film", .videoRecording))
    #expect(source(world) == "front")
    #expect(told.routeReasons == ["film": .routeConfigurationChange])
    #expect(try world.handle(.deactivate("film", notifyingOthers: false)).routeReasons.isEmpty)
    #expect(source(world) == nil)
    try world.handle(.activate("film"))
    #expect(source(world) == "front")
    try world.handle(configure("film", .default))
    #expect(source(world) == nil)
  }

  @Test("The operator's choice goes before that of a mode, and leaves it when it ends")
  func operatorsChoice() throws {
    var world = try worldOfModes()
    try world.handle(configure("film", .videoRecording))
    try world.handle(.port(.input, "mic", .source("back")))
    #expect(source(world) == "back")
    try world.handle(.port(.input, "mic", .source(nil)))
    #expect(source(world) == "front")
  }

  @Test("Of several sessions whose modes have sources, the newest active one chooses")
  func newest() throws {
    var world = try worldOfModes()
    try world.handle(configure("film", .videoRecording))
    try world.handle(
      .createSession("talk", SessionConfiguration(category: .playAndRecord, options: .mixWithOthers)))
    try world.handle(.activate("talk"))
    #expect(source(world) == "front", "a mode without a source chooses none")
    try world.handle(
      .declarePort(
        .input,
        {
          var port = Self.port(own: ["Array:mix"], sources: ["front", "back"])
          (port.sources[0].modes, port.sources[1].modes) = ([.videoRecording], [.voiceChat])
          return port
        }()))
    try world.handle(configure("talk", .voiceChat))
    #expect(source(world) == "back")
    try world.handle(.activate("film"))
    try world.handle(.deactivate("talk", notifyingOthers: false))
    #expect(source(world) == "front")
  }

  @Test("A session whose mode changes its route and its source is told once")
  func toldOnce() throws {
    var world = try worldOfModes()
    try world.plug("headset", .headsetMic, channels: 1, .input)
    try world.handle(.session("film", .preferredInput("headset")))
    try world.handle(.deactivate("film", notifyingOthers: false))
    try world.handle(configure("film", .videoRecording))
    try world.handle(.activate("film"))
    #expect(try world.unplug("headset", .input).routeReasons == ["film": .oldDeviceUnavailable])
    #expect(source(world) == "front")
  }
}
