import OSC
import SessionModel
import Testing

@Suite("Preferences of the hardware, values in force, and the input gain over OSC")
struct HardwareTests {
  /// A desk with the active session `talk` (playAndRecord) beside `show` and `music`.
  private static func stage() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/session/create", "talk", "playAndRecord")
    desk.send("/session/talk/active", 1)
    return desk
  }

  @Test("A preference reads back as it was set, and the values in force stay those of the server")
  func preferences() throws {
    var desk = try Self.stage()
    for (address, preferred, present) in [("rate", 96_000, 48_000), ("period", 0.001, 256.0 / 48_000)] {
      #expect(desk.send(OSCMessage("/session/talk/\(address)/preferred", .float(Float(preferred)))).isEmpty)
      #expect(desk.get("/session/talk/\(address)/preferred") == [.float(Float(preferred))])
      #expect(desk.get("/session/talk/\(address)") == [.float(Float(present))])
    }
    #expect(desk.state.preferredPeriod == 64)
  }

  @Test(
    "A refused number of channels gets the error number of its reason",
    arguments: [
      (OSCMessage("/session/talk/channels/out/preferred", 0), ErrorCode.badParam),
      (OSCMessage("/session/talk/channels/out/preferred", 2), .badParam),
      (OSCMessage("/session/talk/channels/in/preferred", 3), .badParam),
      (OSCMessage("/session/music/channels/in/preferred", 1), .incompatibleCategory),
      (OSCMessage("/session/music/channels/out/preferred", 2), .sessionNotActive),
      (OSCMessage("/session/music/input/level", 1), .incompatibleCategory),
      (OSCMessage("/session/talk/channels/in/maximum", 1), .readOnly),
    ])
  func refused(_ message: OSCMessage, _ code: ErrorCode) throws {
    var desk = try Self.stage()
    #expect(desk.get("/session/talk/route") == ["in:usb out:mono"])
    #expect(desk.send(message).errorCode == code)
  }

  @Test("Channels and latencies follow the route, and are fed back")
  func following() throws {
    var desk = try Self.stage()
    #expect(desk.send("/session/talk/channels/in/preferred", 2).isEmpty)
    #expect(desk.get("/session/talk/channels/in/preferred") == [2])
    #expect(desk.get("/session/music/channels/in/maximum") == [0])
    #expect(desk.get("/session/music/latency/in") == [0.0])
    desk.send("/subscribe", "/session/talk", from: Desk.other)
    desk.wait(1, as: Desk.other)
    try desk.happen(.measured(.input, "usb", latency: 0.25))
    try desk.happen(.measured(.output, "mono", latency: 0.5))
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/session/talk/latency/in"] == [0.25] && heard["/session/talk/latency/out"] == [0.5])
    try desk.unplug(.output, "mono")
    let after = desk.wait(0.2, as: Desk.other)
    #expect(after["/session/talk/channels/out/maximum"] == [2])
    #expect(after["/session/talk/latency/out"] == [0.0])
  }

  @Test("The input gain is clamped, shared, and fed back to all sessions that capture from the input")
  func level() throws {
    var desk = try Self.stage()
    desk.send("/session/create", "guest", "playAndRecord", "default", "mixWithOthers")
    desk.send("/subscribe", "/session/guest", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(desk.send("/session/talk/input/level", 1.5) == [OSCMessage("/session/talk/input/level", 1.0)])
    #expect(desk.send("/session/talk/input/level", -1) == [OSCMessage("/session/talk/input/level", 0.0)])
    #expect(desk.wait(0.2, as: Desk.other)["/session/guest/input/level"] == [0.0])
    desk.send("/session/talk/active", 0)
    #expect(desk.wait(0.2, as: Desk.other)["/session/guest/input/level"] == [1.0])
  }

  @Test("A device is forgotten only while it is absent and nothing names it; the error says what keeps it")
  func forget() throws {
    var desk = try Desk.stage()
    let found = try #require(PortGlob("found:*"))
    var port = Port(id: "found", name: "found", type: .usbAudio, globs: [found], channels: 2)
    port.isNamedByPreset = false
    try desk.happen(.declarePort(.output, port))
    try desk.happen(.portsPresent([PortPresence(.output, "found", members: ["found:1", "found:2"])]))
    #expect(desk.send("/output/forget", "usb").errorCode == .isBusy)
    #expect(desk.send("/output/forget", "nowhere").errorCode == .notFound)
    func sentence(_ answers: [OSCMessage]) -> String { answers["/error"]?.last?.description ?? "" }
    #expect(sentence(desk.send("/output/forget", "found")).contains("it is there"))
    desk.send("/session/show/stream/main/route", "found")
    try desk.unplug(.output, "found")
    #expect(sentence(desk.send("/output/forget", "found")).contains("session show names it"))
    desk.send("/session/show/stream/main/route", "usb")
    #expect(desk.send("/output/forget", "found").isEmpty)
    #expect(desk.send("/get", "/output/found/gain").errorCode == .unknownAddress)
    try desk.unplug(.input, "mic")
    #expect(sentence(desk.send("/input/forget", "mic")).contains("the preset names it"))
  }
}
