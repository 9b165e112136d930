import ControlInterface
import OSC
import Parameters
import SessionModel
import Testing

@testable import OSCSurface

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

  @Test("A reload needs admin, ignores the release of its button, and is answered when the files are read")
  func reload() throws {
    var desk = try Desk.stage(admission: RightsTests.desk().surface.admission)
    #expect(desk.send("/system/reload", from: RightsTests.mixer).errorCode == .denied)
    #expect(desk.send("/system/reload", 0).isEmpty)
    #expect(desk.send("/get", "/system/reload").errorCode == .badValue)
    #expect(desk.errands.isEmpty)
    #expect(desk.send("/system/reload", 1).isEmpty)
    #expect(desk.send("/request", 4, "/system/reload").isEmpty)
    #expect(desk.errands.map { $0.answer(nil) } == [nil, OSCMessage("/response", 4, 0, "/system/reload")])
    let mistake = SessionError(.badValue, "line 3")
    #expect(
      desk.errands.map { $0.answer(mistake) } == [
        OSCMessage("/error", "/system/reload", 3, "badValue", "line 3"),
        OSCMessage("/response", 4, 3, "/system/reload", "badValue", "line 3"),
      ])
  }

  @Test("A client can ask for the version, the counters, the addresses and the meaning of an address")
  func discovery() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/system/info") == [
        OSCMessage(
          "/system/info", "version", "1.2.3", "jack", "multiroute", "rate", 48_000, "period", 256, "uptime",
          10.0, "osc",
          "127.0.0.1:9440")
      ])
    desk.statistics = [Statistic("packets", 3)]
    #expect(desk.send("/system/stats") == [OSCMessage("/system/stats", "packets", 3)])
    #expect(
      desk.send("/system/list", "/session/show/stream")[0].arguments == [
        "/session/show/stream", "create", "remove", "list", "main",
      ])
    #expect(desk.send("/system/list")[0].arguments.contains("session"))
    #expect(desk.send("/system/list", "/nothing").errorCode == .unknownAddress)
    let description = desk.send("/system/describe", "/session/show/gain")[0].arguments
    #expect(description.prefix(6) == ["/session/show/gain", "f", "dB", "control", "level", "-90..10"])
    #expect(desk.send("/system/describe", "/session/absent/gain").errorCode == .unknownAddress)
    #expect(desk.send("/system/describe").errorCode == .badValue)
    for number in 1...200 { desk.send("/session/create", .string("s\(number)")) }
    let lists = desk.send("/system/list", "/session")
    #expect(lists.allSatisfy { $0.arguments.count <= 64 && $0.arguments[0] == "/session" })
    #expect(lists.map { $0.arguments.count - 1 }.reduce(0, +) == 205)
  }

  @Test("A client can ask for all JACK ports with their owners, and for the globs that match none")
  func jackPorts() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/system/ports") == [OSCMessage("/system/ports", 0, 0)])
    let member = try #require(desk.state.outputs["usb"]?.members.first ?? nil)
    try desk.happen(
      .jackPorts([
        JackPort(member, isInput: true),
        JackPort(
          "Band:out_1", isInput: false,
          program: ProgramNames(application: "Music", media: "Some song", node: "music")),
      ]))
    #expect(
      desk.send("/system/ports") == [
        OSCMessage("/system/ports", 0, 2, .string(member), "output", "usb", 1, "", "", ""),
        OSCMessage("/system/ports", 1, 2, "Band:out_1", "input", "none", 0, "Music", "Some song", "music"),
      ])
    desk.send("/session/show/stream/main/from", "Bund:*")
    let unmatched = desk.send("/system/unmatched").map(\.arguments)
    #expect(unmatched.contains { $0.suffix(3) == ["show.main", "Bund:*", "Band:out_1"] })
    desk.send("/session/show/stream/main/from", "Band:*")
    #expect(!desk.send("/system/unmatched").contains { $0.arguments.contains("show.main") })
  }

  @Test("Every subscriber sees the panic switch, and the sentence why names it")
  func panic() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/system/panic")
    desk.wait(0.1)
    #expect(desk.send("/system/panic", 1, from: Desk.other).isEmpty)
    #expect(desk.wait(0.1) == [OSCMessage("/system/panic", 1)])
    #expect(desk.get("/session/show/why") == ["silent: panic is on; /system/panic 0 brings it back"])
    desk.send("/system/panic/toggle")
    #expect(desk.get("/system/panic") == [0])
  }

  @Test("A sentence says why a session is heard or silent")
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
    #expect(
      why() == "heard at headphones; show is muted, but heard at headphones, where its tap is before that")
    desk.send("/output/headphones/mute", 1)
    desk.send("/session/show/mute", 0)
    #expect(why() == "silent: none of its streams reaches an available output; headphones is muted")
    desk.send("/output/headphones/mute", 0)
    desk.send("/session/show/stream/main/mute", 1)
    desk.send("/output/usb/gain", "off")
    #expect(
      why()
        == "heard at headphones; main is muted, but heard at headphones, where its tap is before that; usb is turned off"
    )
    desk.send("/session/show/activate", "connected")
    desk.send("/session/show/active", 0)
    #expect(why() == "silent: not active (activate is connected)")
    try desk.happen(.connected("show", false))
    #expect(why() == "silent: no program is connected to show")
  }
}

@Suite("The sentence why names the true cause")
struct CauseTests {
  @Test("A session that has no stream and records says that it records, and where that goes")
  func recording() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/stream/remove", "main")
    desk.send("/session/show/capture/to", "Recorder:in_*")
    desk.send("/session/show/active", 1)
    #expect(desk.get("/session/show/why") == ["silent: it has no stream"])
    desk.send("/subscribe", "/session/show/why", from: Desk.other)
    desk.wait(1, as: Desk.other)
    try desk.happen(.capturing("show", true))
    #expect(
      desk.get("/session/show/why") == [
        "not heard: it has no stream, and only records; its capture: contains input usb; goes to Recorder:in_*"
      ])
    desk.wait(1, as: Desk.other)
    desk.send("/input/usb/mute", 1)
    #expect(
      desk.wait(0.1, as: Desk.other)["/session/show/why"] == [
        "not heard: it has no stream, and only records; its capture: silent: input usb is muted; goes to Recorder:in_*"
      ])
  }

  @Test(
    "A session is not said to be ducked where only exempt streams are heard, and else its exempt streams are named"
  )
  func exempt() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/stream/create", "click", 1)
    desk.send("/session/show/stream/click/route", "headphones")
    desk.send("/session/show/stream/click/duck/exempt", 1)
    desk.send("/session/show/options", "mixWithOthers")
    desk.send("/session/show/active", 1)
    try desk.happen(.connected("show", true))
    desk.send("/session/music/options", "duckOthers")
    try desk.happen(.connected("music", true))
    desk.send("/session/music/active", 1)
    func why() -> OSCArgument? { desk.get("/session/show/why")?.first }
    #expect(why() == "heard at usb, headphones, ducked to -14.0 dB by music; click is not ducked")
    desk.send("/session/show/stream/main/mute", 1)
    #expect(why() == "heard at headphones; main is muted")
    desk.send("/session/show/stream/click/duck/exempt", 0)
    #expect(why() == "heard at headphones, ducked to -14.0 dB by music; main is muted")
    desk.send("/session/show/stream/click/to/headphones/tap", "input")
    #expect(why() == "heard at headphones; main is muted")
  }
}

@Suite("Captures in words")
struct CaptureSentenceTests {
  @Test("A sentence says what a capture contains and where it goes, or why it is silent")
  func why() throws {
    var desk = try Desk.stage()
    func why() -> OSCArgument? { desk.get("/session/show/capture/why")?.first }
    #expect(desk.get("/session/music/capture/why") == ["no capture: playback has no input"])
    #expect(why() == "silent: show is not active")
    desk.send("/session/show/active", 1)
    #expect(why() == "contains input usb; goes nowhere")
    desk.send("/session/show/capture/to", "Guest:in_1")
    #expect(why() == "contains input usb; waits for Guest:in_1")
    try desk.happen(.capturing("show", true))
    #expect(why() == "contains input usb; goes to Guest:in_1")
    desk.send("/session/show/capture/route", 0)
    #expect(why() == "silent: its mix names nothing; goes to Guest:in_1")
    desk.send("/session/show/capture/session/music/on", 1)
    #expect(why() == "silent: music is not active; goes to Guest:in_1")
    desk.send("/session/music/options", "mixWithOthers")
    desk.send("/session/music/active", 1)
    #expect(why() == "silent: music has no program; goes to Guest:in_1")
    try desk.happen(.connected("music", true))
    desk.send("/session/show/capture/session/music/gain", -6)
    desk.send("/session/show/capture/input/mic/on", 1)
    #expect(why() == "contains music at -6.0 dB, input mic; goes to Guest:in_1")
    desk.send("/session/music/mute", 1)
    #expect(why() == "contains input mic; music at -6.0 dB is muted; goes to Guest:in_1")
    desk.send("/session/show/permission", "denied")
    #expect(
      why()
        == "silent: music at -6.0 dB is muted, input mic may not be recorded (permission is denied); goes to Guest:in_1"
    )
    desk.send("/session/show/io/input", "stopped")
    #expect(why() == "silent: its client's input is stopped")
    desk.send("/session/show/capture/channels", 0)
    #expect(why() == "no capture: it has no channels")
  }

  @Test("A capture has a meter with its channels, and a session without capture has none")
  func meter() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/capture/channels", 2)
    #expect(desk.get("/meter/capture/show") == [-160.0, -160.0])
    #expect(desk.send("/get", "/meter/capture/music").errorCode == .unknownAddress)
    desk.send("/subscribe", "/meter/capture/show", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    var levels = MeterLevels()
    levels.captures["show"] = [0.1, 1]
    desk.surface.measure(levels)
    #expect(desk.wait(0.1, as: Desk.other) == [OSCMessage("/meter/capture/show", -20.0, 0.0)])
    #expect(desk.get("/meter/capture/show/clip") == [1])
    #expect(desk.get("/meter/capture/show/2") == [1.0])
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

  @Test("Meters are sent to their subscribers, at their rate, with the highest peak since the last message")
  func subscription() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/subscribe").allSatisfy { !$0.address.hasPrefix("/meter/output") })
    desk.send("/subscribe", "/meter/output/usb", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    var heard: [OSCMessage] = []
    for step in 0..<200 {
      var levels = Self.levels(step % 50 == 25 ? 0.1 : 0.01)
      levels.outputs["usb"]?[3] = Float(step) / 1_000
      desk.surface.measure(levels)
      heard += desk.wait(0.005, as: Desk.other)
    }
    #expect((19...22).contains(heard.count))
    #expect(heard.allSatisfy { $0.address == "/meter/output/usb" && $0.typeTags == "ffff" })
    #expect(heard.filter { $0.arguments[0] == -20.0 }.count == 4)
    #expect(heard.last?.arguments.dropLast() == [-40.0, -160.0, 0.0])
    #expect(desk.wait(0.1).allSatisfy { !$0.address.hasPrefix("/meter/output") })
  }

  @Test("The signal lamp follows the sound, the clip lamp stays until it is reset")
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

  @Test("A channel's meter is a position, and a get is answered even before the first measurement")
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
