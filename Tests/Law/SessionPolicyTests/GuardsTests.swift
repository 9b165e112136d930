import LawWorld
import SessionModel
import Testing

@Suite("Guards: outputs that a stream is never sent to")
struct GuardsTests {
  @Test("Setting a guard removes the destinations that it forbids, and no command can add them again")
  func multiRoute() throws {
    var world = try World.stage()
    try world.create("show")
    try world.route("show", "usb,headphones")
    try world.handle(.stream("show", "main", .never(["usb"])))
    #expect(world.stream("show")?.destinations.keys == ["headphones"])
    #expect(try world.refusal(.stream("show", "main", .route(StreamRoute("usb")))) == .denied)
    #expect(try world.refusal(.stream("show", "main", .route(StreamRoute("headphones,usb")))) == .denied)
    for setting in [DestinationSetting.on(true), .gain(.set(-3)), .channels(.range(1...2)), .tap(.pre)] {
      #expect(world.refusal(.destination("show", "main", "usb", setting)) == .denied)
    }
    try world.handle(.stream("show", "main", .never([])))
    try world.route("show", "usb")
  }

  @Test("A session with one output never uses a guarded one, whatever is preferred or plugged in")
  func oneOutput() throws {
    var world = try World.stage()
    try world.create("music", .playback)
    #expect(world.state.sessions["music"]?.route.outputs == ["headphones"])
    let told = try world.handle(.stream("music", "main", .never(["headphones"])))
    #expect(told.routeReasons == ["music": .routeConfigurationChange])
    #expect(world.state.sessions["music"]?.route.outputs == ["usb"])
    #expect(world.refusal(.session("music", .preferredOutput("headphones"))) == .denied)
    try world.unplug("headphones")
    try world.present(["headphones"])
    #expect(world.state.sessions["music"]?.route.outputs == ["usb"])
    #expect(
      try world.handle(.stream("music", "main", .never(["headphones", "usb"]))).routeReasons == [
        "music": .noSuitableRouteForCategory
      ])
    #expect(world.state.sessions["music"]?.route.outputs == [])
  }

  @Test("A preference that is older than the guard does not override it")
  func preferenceBefore() throws {
    var world = try World.stage()
    try world.create("music", .playback)
    try world.handle(.session("music", .preferredOutput("usb")))
    try world.handle(.stream("music", "main", .never(["usb"])))
    #expect(world.state.sessions["music"]?.route.outputs == ["headphones"])
  }

  @Test("A stream that moves on when its output goes is sent nowhere rather than to an output of its guard")
  func moving() throws {
    var world = try World.stage()
    for id: SessionID in ["free", "guarded"] {
      try world.create(id, options: .mixWithOthers)
      try world.handle(.session(id, .unplug(.continue)))
    }
    try world.handle(.stream("guarded", "main", .never(["headphones"])))
    #expect(world.stream("free")?.destinations.keys == ["usb"])
    #expect(world.stream("guarded")?.destinations.keys == ["usb"])
    try world.unplug("usb")
    #expect(world.stream("free")?.destinations.keys == ["headphones"])
    #expect(world.stream("guarded")?.destinations.keys == [])
  }
}
