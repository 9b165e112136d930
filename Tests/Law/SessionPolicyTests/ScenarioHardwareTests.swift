import LawWorld
import SessionModel
import Testing

@Suite("Scenarios A82 to A86, A96: hardware preferences, input gain, levels of ports")
struct ScenarioHardwareTests {
  @Test("A82: preferences are accepted, and reading gives the server's values")
  func a82() throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(try rig.handle(.session("a", .preferredRate(96_000))).isEmpty)
    #expect(try rig.handle(.session("a", .preferredPeriod(0.001))).isEmpty)
    #expect(rig["a"].preferredHardware.rate == 96_000 && rig["a"].preferredHardware.period == 0.001)
    #expect(rig.state.server.rate == 48_000 && rig.state.server.period == 256)
  }

  @Test(
    "The preferred period is the nearest power of two that servers accept",
    arguments: [
      (0.001, 64), (0.0027, 128), (0.005_333, 256), (1, 8_192), (0.000_001, 16),
    ])
  func period(_ seconds: Double, _ frames: Int) throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(rig.state.preferredPeriod == nil)
    try rig.handle(.session("a", .preferredPeriod(seconds)))
    #expect(rig.state.preferredPeriod == frames)
    try rig.handle(.session("a", .preferredPeriod(0)))
    #expect(rig.state.preferredPeriod == nil)
  }

  @Test("The preference of the most recently activated session counts; sessions without one do not")
  func newest() throws {
    var rig = try Rig()
    for (id, period) in [("a" as SessionID, 0.001), ("b", 0.01), ("c", 0)] {
      try rig.make(id, .playback, 1)
      try rig.handle(.session(id, .preferredPeriod(period)))
    }
    #expect(rig.state.preferredPeriod == nil)
    for (id, frames) in [("b" as SessionID, 512), ("a", 64), ("c", 64)] {
      try rig.activate(id)
      #expect(rig.state.preferredPeriod == frames)
    }
    try rig.end("a")
    #expect(rig.state.preferredPeriod == 512)
    try rig.world.lose()
    #expect(rig.state.preferredPeriod == nil)
  }

  @Test("A83: preferred channels are 1 to the number of the route's, in a direction that the category has")
  func a83() throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(rig.world.refusal(.session("a", .preferredChannels(.output, 0))) == .badParam)
    #expect(rig.world.refusal(.session("a", .preferredChannels(.output, 3))) == .badParam)
    #expect(rig.world.refusal(.session("a", .preferredChannels(.input, 1))) == .incompatibleCategory)
    try rig.handle(.session("a", .preferredChannels(.output, 2)))
    #expect(rig["a"].preferredHardware.outputChannels == 2)
    try rig.unplug("spk")
    #expect(rig.world.refusal(.session("a", .preferredChannels(.output, 1))) == .badParam)
  }

  @Test("A84: preferred channels need an active session")
  func a84() throws {
    var rig = try Rig()
    try rig.make("a")
    #expect(rig.world.refusal(.session("a", .preferredChannels(.output, 2))) == .sessionNotActive)
  }

  @Test(
    "Without a server, preferences are refused",
    arguments: [
      SessionSetting.preferredRate(44_100), .preferredPeriod(0.01), .preferredChannels(.output, 2),
      .inputLevel(.set(1)),
    ])
  func lost(_ preference: SessionSetting) throws {
    var rig = try Rig()
    try rig.play("a", .playAndRecord)
    try rig.world.lose()
    #expect(rig.world.refusal(.session("a", preference)) == .mediaServicesFailed)
  }

  @Test("A86, A69: channels and latencies of a route; 0 for a direction that the category does not have")
  func a86() throws {
    var rig = try Rig()
    for device in ["phones", "usb"] { try rig.plug(device) }
    for (id, latency) in [("phones" as PortID, 0.01), ("usb", 0.03)] {
      try rig.handle(.measured(.output, id, latency: latency))
    }
    try rig.handle(.measured(.input, "usb", latency: 0.02))
    try rig.play("a")
    try rig.play("m", .multiRoute, 1)
    func read(_ id: SessionID, _ direction: Direction) -> [Double] {
      [
        Double(rig.state.maximumChannels(of: rig[id], direction)),
        rig.state.latency(of: rig[id], direction),
      ]
    }
    #expect(read("a", .input) == [0, 0] && read("a", .output) == [4, 0.03])
    #expect(read("m", .input) == [4, 0.02] && read("m", .output) == [6, 0.03])
  }

  // MARK: Input gain

  @Test(
    "A85: all sessions that capture from an input share its gain until no session that set it uses the input")
  func a85() throws {
    var rig = try Rig()
    try rig.play("a", .playAndRecord, 1)
    try rig.play("b", .playAndRecord, 1)
    try rig.play("p", .playback, 1)
    func level(_ id: SessionID) -> Double { rig.state.inputLevel(of: rig[id]).target }
    #expect(level("a") == 1 && level("p") == 0)
    try rig.handle(.session("a", .inputLevel(.set(0.25))))
    #expect(level("b") == 0.25)
    try rig.handle(.session("b", .inputLevel(.set(0.5))))
    try rig.end("a")
    #expect(level("b") == 0.5 && level("a") == 0.5)
    try rig.end("b")
    #expect(level("a") == 1)
    #expect(rig.world.refusal(.session("p", .inputLevel(.set(0)))) == .incompatibleCategory)
    try rig.unplug("mic")
    #expect(rig.world.refusal(.session("a", .inputLevel(.set(0)))) == .resourceNotAvailable)
  }

  @Test(
    "A session that changes its input or category, or is removed, no longer keeps the gain of its former input",
    arguments: [
      Event.session("a", .preferredInput("usb")), .removeSession("a"), .beginInterruption("phone"),
      .configure("a", SessionConfiguration(category: .playback)), .port(.input, "mic", .plugged(false)),
    ])
  func left(_ event: Event) throws {
    var rig = try Rig()
    try rig.plug("usb")
    try rig.play("a", .playAndRecord)
    try rig.handle(.session("a", .preferredInput("mic")))
    try rig.handle(.session("a", .inputLevel(.set(0.25))))
    #expect(rig.state.inputs["mic"]?.level.target == 0.25)
    try rig.handle(event)
    #expect(rig.state.inputs["mic"]?.level.target == 1 && rig.state.inputs["mic"]?.levelHolders == [])
  }

  // MARK: Safe levels

  @Test("A96: each port keeps its own gain, however often it disappears and returns")
  func a96() throws {
    var rig = try Rig()
    try rig.play("a")
    try rig.plug("phones")
    try rig.handle(.port(.output, "phones", .gain(.set(-12))))
    for _ in 0..<3 {
      try rig.unplug("phones")
      #expect(rig.route("a") == "in:none out:spk" && rig.state.outputs["spk"]?.gain.target == 0)
      try rig.plug("phones")
      #expect(rig.route("a") == "in:none out:phones")
      #expect(rig.state.outputs["phones"]?.gain.target == -12 && rig["a"].gain.target == 0)
    }
  }
}
