import LawWorld
import SessionModel
import Testing

@Suite("Hotplug: ports and the server appear and disappear")
struct HotplugTests {
  @Test("A port that appears or disappears sends one notification")
  func told() throws {
    var world = try World.stage()
    #expect(try world.unplug("usb") == [.port(.output, "usb", isAvailable: false)])
    #expect(try world.unplug("usb").isEmpty)
    #expect(try world.present(["usb"], channels: 4) == [.port(.output, "usb", isAvailable: true)])
    #expect(
      try world.handle(.port(.output, "usb", .plugged(false))) == [.port(.output, "usb", isAvailable: false)])
    #expect(
      try world.handle(.port(.output, "usb", .plugged(true))) == [.port(.output, "usb", isAvailable: true)])
    #expect(try world.present(["nowhere"]).isEmpty)
  }

  @Test(
    "Of the absent devices that nothing names the latest 64 are remembered, besides those that something names"
  )
  func absentDevices() throws {
    var world = try World.stage()
    try world.create("show")
    let stage = world.state.outputs.count
    func id(_ number: Int) throws -> PortID { try #require(PortID("device-\(number)")) }
    for number in 0..<300 {
      try world.plug(try id(number), .usbAudio, isNamed: false)
      if number == 3 { try world.route("show", "device-3") }
      if number == 4 { try world.handle(.port(.output, try id(number), .maximum(-10))) }
      try world.unplug(try id(number))
    }
    #expect(world.state.outputs.count == stage + 64 + 2)
    let kept = try [3, 4, 235, 236].map { world.state.outputs.contains(try id($0)) }
    #expect(kept == [true, true, false, true])
    // A device that was forgotten is found anew.
    try world.plug(try id(5), .usbAudio, isNamed: false)
    #expect(world.state.outputs[try id(5)]?.isAvailable == true)
  }

  @Test("Devices that left with the server are not forgotten")
  func serverLost() throws {
    var world = try World.stage()
    let ids = try (0..<100).map { try #require(PortID("device-\($0)")) }
    for id in ids { try world.plug(id, .usbAudio, isNamed: false) }
    var server = world.state.server
    server.isRunning = false
    try world.handle(.server(server))
    for id in ids { try world.unplug(id) }
    server.isRunning = true
    try world.handle(.server(server))
    try world.present(ids)
    #expect(ids.allSatisfy { world.state.outputs[$0]?.isAvailable == true })
  }

  @Test(
    "A bridge's failure is reported once, until the port was available again or the reason is another one")
  func bridge() throws {
    var world = try World.stage()
    var port = Port(id: "far", name: "far", type: .avb, globs: [PortGlob("j2n-far:*")!], channels: 2)
    let network = Bridge.Network(address: "192.0.2.20", port: 30_042)
    port.bridge = Bridge(.output, channels: 2, to: .network(network))
    try world.handle(.declarePort(.output, port))
    func fail(_ reason: String, _ seconds: Double) throws -> [String] {
      _ = try world.handle(.bridge(.output, "far", .running))
      return try world.handle(.bridge(.output, "far", .failed(reason, retry: seconds))).map {
        if case .error(0, "/output/far/bridge", let error) = $0 {
          "\(error.code.symbol): \(error.sentence)"
        } else {
          "\($0)"
        }
      }
    }
    #expect(try fail("it broke", 0.5) == ["io: far: it broke"])
    #expect(world.state.outputs["far"]?.bridgeSentence == "it broke; next try after 0.5 s")
    #expect(try fail("it broke", 1) == [])
    #expect(world.state.outputs["far"]?.bridgeSentence == "it broke; next try after 1 s")
    #expect(try fail("no card", 2) == ["io: far: no card"])
    try world.handle(.bridge(.output, "far", .running))
    #expect(world.state.outputs["far"]?.bridgeSentence == "zita-j2n runs")
    try world.handle(
      .portsPresent([PortPresence(.output, "far", members: ["j2n-far:in_1", "j2n-far:in_2"])]))
    #expect(try fail("no card", 0.5) == ["io: far: no card"])
    // Declaring the port again keeps its bridge's state; a different bridge starts afresh.
    try world.handle(.declarePort(.output, port))
    #expect(try fail("no card", 1) == [])
    port.bridge = Bridge(.output, channels: 4, to: .network(network))
    try world.handle(.declarePort(.output, port))
    #expect(world.state.outputs["far"]?.bridgeSentence == "zita-j2n waits for the audio server")
    // A device has no bridge, so an event about one changes nothing.
    #expect(try world.handle(.bridge(.output, "usb", .failed("it broke", retry: 1))).isEmpty)
    #expect(world.state.outputs["usb"]?.bridgeSentence == "none")
  }

  @Test("A port keeps its settings while it is unplugged and when it is declared again")
  func settings() throws {
    var world = try World.stage()
    try world.handle(.port(.output, "usb", .gain(.set(-6))))
    try world.handle(.port(.output, "usb", .maximum(0)))
    try world.handle(.port(.output, "usb", .automatic(false)))
    try world.handle(.measured(.output, "usb", latency: 0.01, isLimiting: true))
    try world.unplug("usb")
    try world.declare("usb", .hdmi, channels: 0)
    let port = try #require(world.state.outputs["usb"])
    #expect(port.type == .hdmi && port.gain.target == -6 && port.maximum == 0 && port.automatic == false)
    #expect(port.latency == 0.01 && port.isLimiting && port.channels == 4)
    try world.handle(.channel("mic", 1, .gain(.set(-3))))
    try world.plug("mic", .usbAudio, channels: 2, .input)
    #expect(world.state.inputs["mic"]?.channelStrips.map(\.gain.target) == [-3, 0])
  }

  @Test(
    "Devices that return with the server keep their order of arrival; a device that arrives later is the last one in"
  )
  func returning() throws {
    var world = try World.stage()
    func isLast(_ id: PortID) -> Bool {
      world.state.outputs.values.allSatisfy { $0.arrival <= world.state.outputs[id]?.arrival ?? 0 }
    }
    func leave() throws {
      try world.lose()
      try world.handle(
        .portsPresent(["usb", "headphones"].map { PortPresence(.output, $0, members: [nil, nil]) }))
      world.time += 60
      try world.start()
    }
    #expect(isLast("headphones"))
    try leave()
    world.time += 9
    try world.present(["headphones"])
    try world.present(["usb"], channels: 4)
    #expect(isLast("headphones"))
    try leave()
    try world.present(["headphones"])
    world.time += 11
    try world.present(["usb"], channels: 4)
    #expect(isLast("usb"))
    // A device that is plugged in while the server runs is the last one in, too.
    try world.unplug("headphones")
    try world.present(["headphones"])
    #expect(isLast("headphones"))
  }

  @Test("A port that is declared with other JACK ports has their channels")
  func redeclared() throws {
    var world = try World.stage()
    let glob = try #require(PortGlob("other:*"))
    try world.handle(
      .declarePort(.output, Port(id: "usb", name: "usb", type: .usbAudio, globs: [glob], channels: 2)))
    #expect(world.state.outputs["usb"]?.channels == 2)
    #expect(world.state.outputs["usb"]?.isAvailable == false)
  }

  @Test("A found port that is removed leaves all routes; a stream that is sent there keeps its destination")
  func forgotten() throws {
    var world = World()
    try world.start()
    try world.plug("found", .lineOut, isNamed: false)
    try world.create("show")
    try world.create("music", .playback, options: .mixWithOthers)
    let told = try world.handle(.forgetPort(.output, "found"))
    #expect(told.first == .port(.output, "found", isAvailable: false))
    #expect(told.routeReasons == ["show": .noSuitableRouteForCategory, "music": .noSuitableRouteForCategory])
    #expect(world.stream("show")?.destinations.keys == ["found"])
    #expect(try world.handle(.forgetPort(.output, "found")).isEmpty)
  }

  @Test("Of several ports that arrive together the first in the list counts as the last one in")
  func together() throws {
    var world = World()
    try world.start()
    for id in ["a", "b", "c"] { try world.declare(PortID(stringLiteral: id), .usbAudio, channels: 2) }
    try world.create("music", .playback)
    try world.present(["a", "b", "c"])
    #expect(world.state.sessions["music"]?.route.outputs == ["a"])
  }

  @Test("The server's stop and return send notifications, a change of its period does not")
  func server() throws {
    var world = World()
    try world.start()
    #expect(world.told == [.media(isRunning: true)])
    var server = world.state.server
    server.period = 1_024
    #expect(try world.handle(.server(server)).isEmpty)
    #expect(world.state.server.period == 1_024)
    try world.lose()
    #expect(world.told.last == .media(isRunning: false))
  }
}
