import SessionModel
import Testing

@Suite("Data sources: one input, several ways in")
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
    "Another data source of the input in use is a route change with the same ports and reason 8, for active sessions"
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
    // What is chosen already is no news.
    #expect(try world.handle(.port(.input, "mic", .source("back"))).isEmpty)
    #expect(
      try world.handle(.port(.input, "mic", .source(nil))).routeReasons == ["show": .routeConfigurationChange]
    )
  }

  @Test("Without a choice a port's own JACK ports feed it, or else its first source")
  func unchosen() throws {
    #expect(Self.port(sources: ["front", "back"]).currentSource?.id == "front")
    let port = Self.port(own: ["Array:mix"], sources: ["front"])
    #expect(port.currentSource == nil && port.memberGlobs.map(\.text) == ["Array:mix"])
  }

  @Test(
    "A source that is none of the port's is refused, and one of a port that nobody uses is kept for later")
  func refused() throws {
    var world = try world()
    #expect(world.refusal(.port(.input, "mic", .source("side"))) == .badParam)
    try world.handle(.declarePort(.input, Self.port("line", sources: ["a", "b"])))
    #expect(try world.handle(.port(.input, "line", .source("b"))).isEmpty)
    #expect(world.state.inputs["line"]?.currentSource?.id == "b")
  }

  @Test("The choice survives being declared anew, unless the source is gone")
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
