import LawWorld
import SessionModel
import Testing

@Suite("Data sources: one input with several sources")
struct DataSourceTests {
  private static func port(_ id: PortID = "mic", own: [String] = [], sources: [String]) -> Port {
    var port = Port(
      id: id, name: id.name, type: .usbAudio, globs: own.compactMap(PortGlob.init), channels: 1)
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
}
