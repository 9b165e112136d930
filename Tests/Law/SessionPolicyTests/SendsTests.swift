import LawWorld
import SessionModel
import Testing

@Suite("Sends: destinations of multiRoute streams")
struct SendsTests {
  @Test("A route replaces all destinations of a stream; a destination in both keeps its tap and its fade")
  func route() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.destination("show", "main", "usb", .tap(.pre)))
    try world.route("show", "headphones=-6,usb:3-4")
    let stream = try #require(world.stream("show"))
    #expect(stream.destinations.keys == ["headphones", "usb"])
    #expect(stream.destinations["usb"]?.tap == .pre)
    #expect(stream.destinations["usb"]?.channels == .range(3...4))
    #expect(stream.destinations["headphones"]?.gain.target == -6)
    let revision = stream.destinations["headphones"]?.gain.revision
    try world.route("show", "headphones=-6")
    #expect(world.stream("show")?.destinations["headphones"]?.gain.revision == revision)
    #expect(world.stream("show")?.destinations.keys == ["headphones"])
  }

  @Test("A route with another gain ends the fade of its destination")
  func routeOverFade() throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.destination("show", "main", "usb", .gain(.set(-20, over: 10))))
    world.time = 5
    try world.route("show", "usb=-20")
    #expect(world.stream("show")?.destinations["usb"]?.gain.value(at: 5, isLevel: true) == -20)
  }

  @Test("Unknown, ineligible and too small outputs are refused with -50, other categories with !cat")
  func refused() throws {
    var world = try World.stage()
    try world.plug("radio", .bluetoothA2DP)
    try world.create("show")
    try world.create("music", .playback)
    func refusal(_ text: String, _ id: SessionID = "show") throws -> ErrorCode? {
      try world.refusal(.stream(id, "main", .route(StreamRoute(text))))
    }
    #expect(try refusal("nowhere") == .badParam)
    #expect(try refusal("radio") == .badParam)
    #expect(try refusal("headphones:3") == .badParam)
    #expect(try refusal("usb:4-5") == .badParam)
    #expect(try refusal("usb:1-3") == .badParam)
    #expect(try refusal("usb", "music") == .incompatibleCategory)
    #expect(world.refusal(.destination("music", "main", "usb", .on(true))) == .incompatibleCategory)
    #expect(world.refusal(.destination("show", "main", "nowhere", .gain(.set(0)))) == .badParam)
    #expect(world.refusal(.destination("show", "absent", "usb", .on(true))) == .notFound)
  }

  @Test("A destination at an output that is away is kept, and is heard again when the output returns")
  func away() throws {
    var world = try World.stage()
    try world.create("show")
    try world.unplug("usb")
    try world.route("show", "usb,headphones")
    #expect(world.state.sessions["show"]?.route.outputs == ["headphones"])
    try world.present(["usb"], channels: 4)
    #expect(world.state.sessions["show"]?.route.outputs == ["usb", "headphones"])
  }

  @Test("A port that was never seen accepts any map until its channels are known")
  func neverSeen() throws {
    var world = try World.stage()
    try world.declare("far", .avb, channels: 0)
    try world.create("show")
    try world.route("show", "far:7-8")
    #expect(world.stream("show")?.destinations.keys == ["far"])
  }
}
