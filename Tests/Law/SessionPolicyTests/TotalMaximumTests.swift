import LawWorld
import SessionModel
import Testing

@Suite("Total maximum: what all gains together may amplify on the way to an output")
struct TotalMaximumTests {
  /// A session that is sent from a microphone to the output `usb`, whose total maximum is 6 dB.
  private static func limited(_ category: Category = .multiRoute) throws -> World {
    var world = try World.stage()
    try world.create("show", category)
    if category == .multiRoute {
      try world.handle(.stream("show", "main", .sources([.input("mic", channels: nil)])))
      try world.route("show", "usb")
    }
    try world.handle(.port(.output, "usb", .maximumTotal(6)))
    return world
  }

  /// The events that raise each gain on the way.
  static let gains: [@Sendable (ControlMove) -> Event] = [
    { .port(.input, "mic", .gain($0)) }, { .channel("mic", 1, .gain($0)) },
    { .stream("show", "main", .gain($0)) },
    { .session("show", .gain($0)) }, { .destination("show", "main", "usb", .gain($0)) },
    { .port(.output, "usb", .gain($0)) },
  ]

  @Test(
    "Each gain on the way counts, and a set or fade beyond the maximum changes nothing",
    arguments: gains.indices)
  func refused(_ index: Int) throws {
    var world = try Self.limited()
    let raised = Self.gains[(index + 1) % Self.gains.count]
    try world.handle(raised(.set(4)))
    let before = world.state
    #expect(world.refusal(Self.gains[index](.set(3))) == .outOfRange)
    #expect(world.refusal(Self.gains[index](.set(3, over: 5))) == .outOfRange)
    #expect(world.state == before)
    try world.handle(Self.gains[index](.set(2)))
    // The sum stands at its maximum now; what lowers it is accepted.
    try world.handle(raised(.set(3.5)))
    try world.handle(Self.gains[index](.set(2.5)))
  }

  @Test("The refusal names the gains that add up and the maximum")
  func sentence() throws {
    var world = try Self.limited()
    try world.handle(.session("show", .gain(.set(4))))
    let error = #expect(throws: SessionError.self) {
      try world.handle(.port(.input, "mic", .gain(.set(5))))
    }
    #expect(
      error?.sentence == "show.main would reach usb with 9.0 dB in all (input mic 5.0 dB, session 4.0 dB), "
        + "more than the 6.0 dB of /output/usb/maxTotal; nothing changed")
  }

  @Test("A level on its way down still counts with its present value")
  func fading() throws {
    var world = try Self.limited()
    try world.handle(.session("show", .gain(.set(5))))
    try world.handle(.session("show", .gain(.set(-20, over: 10))))
    #expect(world.refusal(.stream("show", "main", .gain(.set(4)))) == .outOfRange)
    world.time += 11
    try world.handle(.stream("show", "main", .gain(.set(10))))
  }

  @Test("A send that takes its sound before the faders leaves out stream and session")
  func tap() throws {
    var world = try Self.limited()
    try world.handle(.destination("show", "main", "usb", .tap(.pre)))
    try world.handle(.session("show", .gain(.set(10))))
    #expect(world.refusal(.destination("show", "main", "usb", .gain(.set(7)))) == .outOfRange)
    // The send takes its sound after the faders now, so it comes down.
    let told = try world.handle(.destination("show", "main", "usb", .tap(.post)))
    #expect(world.stream("show")?.destinations["usb"]?.gain.target == -4)
    #expect(
      told.contains {
        if case .error(0, "/session/show/stream/main/to/usb/gain", _) = $0 { true } else { false }
      })
  }

  @Test("A new route and a lower maximum lower the send's gain, and an error of client 0 tells it")
  func lowered() throws {
    var world = try Self.limited()
    try world.handle(.session("show", .gain(.set(4))))
    try world.route("show", "none")
    let told = try world.handle(.stream("show", "main", .route(StreamRoute("usb=5"))))
    #expect(world.stream("show")?.destinations["usb"]?.gain.target == 2)
    #expect(
      told.last
        == .error(
          client: 0, address: "/session/show/stream/main/to/usb/gain",
          SessionError(
            .outOfRange,
            "show.main would reach usb with 9.0 dB in all (session 4.0 dB, send 5.0 dB); "
              + "/session/show/stream/main/to/usb/gain comes down to 2.0 dB, because /output/usb/maxTotal is 6.0 dB"
          )))
    try world.handle(.port(.output, "usb", .maximumTotal(0)))
    #expect(world.stream("show")?.destinations["usb"]?.gain.target == -4)
    // Without a maximum everything is as before.
    try world.handle(.port(.output, "usb", .maximumTotal(.infinity)))
    try world.handle(.destination("show", "main", "usb", .gain(.set(10))))
  }

  @Test("A session that moves to the output by itself comes down by its own gain")
  func oneOutput() throws {
    var world = try Self.limited(.playback)
    try world.handle(.session("show", .gain(.set(9))))
    #expect(world.state.sessions["show"]?.route.outputs == ["headphones"])
    try world.unplug("headphones")
    #expect(world.state.sessions["show"]?.route.outputs == ["usb"])
    #expect(world.state.sessions["show"]?.gain.target == 6)
  }

  @Test("A send that is off cannot be lowered, and is told nothing")
  func off() throws {
    var world = try Self.limited()
    try world.handle(.destination("show", "main", "usb", .gain(.set(Decibels.floor))))
    try world.handle(.session("show", .gain(.set(10))))
    #expect(try world.handle(.port(.output, "usb", .maximumTotal(-90))).isEmpty)
  }
}
