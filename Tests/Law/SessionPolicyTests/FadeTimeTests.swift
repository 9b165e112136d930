import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Every change of a level has a fade time")
struct FadeTimeTests {
  private func world() throws -> World {
    var world = try World.stage()
    try world.create("show")
    try world.route("show", "usb:1-2")
    world.time = 10
    return world
  }

  @Test("Without a fade time a level changes at once, whether a person or a preset sets it")
  func atOnce() throws {
    var world = try world()
    try world.handle(.session("show", .gain(.set(-20))))
    #expect(world.state.sessions["show"]?.gain.value(at: 10, isLevel: true) == -20)
    try world.handle(.session("show", .gain(.store(-30))))
    let gain = try #require(world.state.sessions["show"]?.gain)
    #expect(gain.value(at: 10, isLevel: true) == -30 && gain.stored == -30 && !gain.isFading(at: 10))
  }

  @Test("With a fade time a stored level is on its way until the time is over")
  func stored() throws {
    var world = try world()
    try world.handle(.session("show", .gain(.store(-30, over: 4))))
    let gain = try #require(world.state.sessions["show"]?.gain)
    #expect(gain.stored == -30 && gain.value(at: 10, isLevel: true) == 0)
    #expect((-29..<0).contains(gain.value(at: 12, isLevel: true)))
    #expect(gain.value(at: 14, isLevel: true) == -30 && !gain.isFading(at: 14))
  }

  @Test("With a fade time a route moves the levels of its destinations")
  func route() throws {
    var world = try world()
    try world.handle(.stream("show", "main", .route(StreamRoute("usb:1-2=-40,headphones"), over: 2)))
    let destinations = try #require(world.stream("show")).destinations
    let gain = try #require(destinations["usb"]).gain
    #expect(gain.value(at: 10, isLevel: true) == 0 && gain.value(at: 12, isLevel: true) == -40)
    #expect(destinations["headphones"]?.isOn == true)
  }
}
