import OSC
import SessionModel
import Surface
import Testing

@Suite("The router itself")
struct SystemTests {
  @Test("A ping comes back with the same arguments, whatever they are")
  func ping() throws {
    var desk = try Desk.stage()
    let arguments: [OSCArgument] = [
      1, "x", .blob([1, 2]), .midi(3), .colour(4), .null, .impulse, .boolean(true), .float(1),
    ]
    #expect(desk.send(OSCMessage("/ping", arguments)) == [OSCMessage("/pong", arguments)])
    #expect(desk.send("/ping") == [OSCMessage("/pong")])
  }

  @Test("A sync waits for the audio thread, and is refused while there is none")
  func sync() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/sync", 3.0).isEmpty)
    #expect(desk.syncs.map(\.message) == [OSCMessage("/synced", 3)])
    #expect(desk.send("/sync").errorCode == .badValue)
    try desk.happen(.server(ServerState()))
    #expect(desk.send("/sync", 4).errorCode == .mediaServicesFailed)
    #expect(desk.send("/session/show/active", 1).errorCode == .mediaServicesFailed)
    #expect(desk.send("/session/show/gain", -3).isEmpty)
    #expect(desk.get("/media/state") == ["lost"])
  }

  @Test("Who it is, what it counts, what there is and what an address means can be asked")
  func discovery() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/system/info") == [
        OSCMessage(
          "/system/info", "version", "1.2.3", "jack", "multiroute", "rate", 48_000, "period", 256, "uptime",
          10.0, "osc",
          "127.0.0.1:9440")
      ])
    desk.surface.statistics = [("packets", 3)]
    #expect(desk.send("/system/stats") == [OSCMessage("/system/stats", "packets", 3)])
    #expect(
      desk.send("/system/list", "/session/show/stream")[0].arguments == [
        "/session/show/stream", "create", "remove", "list", "main",
      ])
    #expect(desk.send("/system/list")[0].arguments.contains("session"))
    #expect(desk.send("/system/list", "/nothing").errorCode == .unknownAddress)
    let description = desk.send("/system/describe", "/session/show/gain")[0].arguments
    #expect(description.prefix(6) == ["/session/show/gain", "f", "dB", "control", "level", "-90..10"])
    #expect(desk.send("/system/describe", "/session/nobody/gain").errorCode == .unknownAddress)
    #expect(desk.send("/system/describe").errorCode == .badValue)
    for number in 1...200 { desk.send("/session/create", .string("s\(number)")) }
    let lists = desk.send("/system/list", "/session")
    #expect(lists.allSatisfy { $0.arguments.count <= 64 && $0.arguments[0] == "/session" })
    #expect(lists.map { $0.arguments.count - 1 }.reduce(0, +) == 205)
  }

  @Test("Panic is a switch that everybody sees, and says why it is silent")
  func panic() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/system/panic")
    desk.wait(0.1)
    #expect(desk.send("/system/panic", 1) == [OSCMessage("/system/panic", 1)])
    #expect(desk.get("/session/show/why") == ["silent: panic is on; /system/panic 0 brings it back"])
    desk.send("/system/panic/toggle")
    #expect(desk.get("/system/panic") == [0])
  }

  @Test("Why a session is heard or not is said in a sentence")
  func why() throws {
    var desk = try Desk.stage()
    func why() -> OSCArgument? { desk.get("/session/show/why")?.first }
    #expect(why() == "silent: not active (activate is manual)")
    desk.send("/session/show/active", 1)
    #expect(why() == "silent: no program is connected to show")
    try desk.happen(.connected("show", true))
    #expect(why() == "heard at usb")
    desk.send("/session/show/stream/main/route", "usb,headphones")
    #expect(why() == "heard at usb, headphones")
    desk.send("/session/show/stream/main/to/usb/gain", "off")
    #expect(why() == "heard at headphones")
    desk.send("/session/show/mute", 1)
    #expect(why() == "silent: muted by the operator")
    desk.send("/session/show/stream/main/to/headphones/tap", "input")
    #expect(why() == "heard at headphones")
    desk.send("/output/headphones/mute", 1)
    desk.send("/session/show/mute", 0)
    #expect(why() == "silent: none of its streams reaches an available output; headphones is muted")
    desk.send("/output/headphones/mute", 0)
    desk.send("/session/show/stream/main/mute", 1)
    desk.send("/output/usb/gain", "off")
    #expect(why() == "heard at headphones; main is muted; usb is turned off")
    desk.send("/session/show/activate", "connected")
    desk.send("/session/show/active", 0)
    #expect(why() == "silent: not active (activate is connected)")
    try desk.happen(.connected("show", false))
    #expect(why() == "silent: no program is connected to show")
  }
}

@Suite("Meters")
struct MeterTests {
  private static func levels(_ peak: Float) -> MeterLevels {
    var levels = MeterLevels()
    levels.outputs["usb"] = [peak, 0, 1, 0]
    levels.streams["show"] = ["main": [peak, 0.001]]
    return levels
  }

  @Test("Meters are sent to who asks for them, at their rate, with the loudest since the last message")
  func subscription() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/subscribe").allSatisfy { !$0.address.hasPrefix("/meter/output") })
    desk.send("/subscribe", "/meter/output/usb", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    var heard: [OSCMessage] = []
    for step in 0..<200 {
      desk.surface.measure(Self.levels(step % 50 == 25 ? 0.1 : 0.01))
      heard += desk.wait(0.005, as: Desk.other)
    }
    #expect((19...22).contains(heard.count))
    #expect(heard.allSatisfy { $0.address == "/meter/output/usb" && $0.typeTags == "ffff" })
    #expect(heard.filter { $0.arguments[0] == -20.0 }.count == 4)
    #expect(heard.last?.arguments == [-40.0, -160.0, 0.0, -160.0])
    #expect(desk.wait(0.1).allSatisfy { !$0.address.hasPrefix("/meter/output") })
  }

  @Test("The signal lamp follows the sound, the clip lamp stays until it is put out")
  func lamps() throws {
    var desk = try Desk.stage()
    #expect(desk.get("/meter/output/usb/signal") == [0])
    desk.send("/subscribe", "/meter/stream/show/main/{signal,clip}", from: Desk.other)
    desk.surface.measure(Self.levels(1))
    desk.surface.measure(Self.levels(0.0001))
    #expect(desk.get("/meter/output/usb/clip") == [1])
    #expect(desk.get("/meter/stream/show/main/signal") == [0])
    #expect(desk.get("/meter/stream/show/main/clip") == [1])
    let heard = desk.wait(0.1, as: Desk.other)
    #expect(heard["/meter/stream/show/main/signal"] == [1])
    #expect(heard["/meter/stream/show/main/clip"] == [1])
    desk.send("/meter/stream/show/main/clip/reset", 0)
    #expect(desk.get("/meter/stream/show/main/clip") == [1])
    desk.send("/meter/stream/show/main/clip/reset")
    #expect(desk.get("/meter/stream/show/main/clip") == [0])
    #expect(desk.send("/meter/stream/show/main/clip", 1).errorCode == .readOnly)
    #expect(desk.snapshot().messages.allSatisfy { !$0.address.hasSuffix("/clip") })
  }

  @Test("A channel's meter is a position, and a get is answered even before anything was measured")
  func reading() throws {
    var desk = try Desk.stage()
    #expect(desk.get("/meter/output/headphones") == [-160.0, -160.0])
    #expect(desk.get("/meter/output/usb/1") == [0.0])
    desk.surface.measure(Self.levels(0.1))
    #expect(desk.get("/meter/stream/show/main") == [-20.0, -60.0])
    #expect(desk.get("/meter/session/show") == [-20.0, -60.0])
    #expect(desk.get("/meter/output/usb/3") == [1.0])
    #expect(desk.send("/meter/output/usb/5").errorCode == .unknownAddress)
    #expect(desk.send("/meter/output/usb", 1).errorCode == .readOnly)
    desk.send("/subscribe", "/meter/output/usb/*")
    desk.surface.measure(Self.levels(0.1))
    #expect(desk.wait(0.1).map(\.address).contains("/meter/output/usb/4"))
  }
}
