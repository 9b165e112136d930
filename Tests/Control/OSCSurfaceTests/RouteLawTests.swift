import OSC
import SessionModel
import Testing

@Suite("Routes over OSC: overrides, preferred inputs, events")
struct RouteLawTests {
  /// A desk with a speaker and the active session `talk` (playAndRecord), whose events come to `me`.
  private static func stage() throws -> Desk {
    var desk = try Desk.stage()
    try desk.plug(.output, "spk", .builtInSpeaker, channels: 2)
    desk.send("/session/create", "talk", "playAndRecord")
    desk.send("/session/talk/active", 1)
    desk.send("/subscribe", "/event/*")
    desk.wait(0.1)
    return desk
  }

  @Test("The speaker override, its end, and the sessions that have none")
  func override() throws {
    var desk = try Self.stage()
    let (plain, loud) = ("in:usb out:mono", "in:mic out:spk")
    #expect(desk.get("/session/talk/route") == [.string(plain)])
    #expect(
      Desk.told(desk.send("/session/talk/override", "Speaker"))
        == ["/event/route talk 4 override \(plain) \(loud)"])
    #expect(desk.get("/session/talk/override") == ["speaker"])
    #expect(
      Desk.told(desk.send("/session/talk/override/none", 1))
        == ["/event/route talk 4 override \(loud) \(plain)"])
    desk.send("/session/talk/override", "speaker")
    try desk.unplug(.output, "mono")
    #expect(desk.get("/session/talk/override") == ["none"])
    let refused = desk.send("/session/music/override", "speaker")
    #expect(refused.errorCode == .incompatibleCategory)
    #expect(refused["/session/music/override"] == ["none"])
    #expect(desk.send("/session/talk/override", "ear").errorCode == .badValue)
  }

  @Test("A preferred input, the available inputs, and the events about them")
  func preferredInput() throws {
    var desk = try Self.stage()
    #expect(desk.get("/session/talk/input/available") == ["usb,mic"])
    #expect(desk.get("/session/music/input/available") == [""])
    #expect(
      Desk.told(desk.send("/session/talk/input/preferred", "mic"))
        == ["/event/route talk 4 override in:usb out:mono in:mic out:mono"])
    #expect(desk.get("/session/talk/input/preferred") == ["mic"])
    let refused = desk.send("/session/talk/input/preferred", "line")
    #expect(refused.errorCode == .badParam)
    #expect(refused["/session/talk/input/preferred"] == ["mic"])
    desk.send("/subscribe", "/session/talk/input", from: Desk.other)
    desk.wait(0.1, as: Desk.other)
    try desk.plug(.input, "line", .lineIn, channels: 2)
    #expect(desk.wait(0.2, as: Desk.other)["/session/talk/input/available"] == ["usb,mic,line"])
    #expect(desk.events.suffix(2).map(\.address) == ["/event/port", "/event/inputs"])
    #expect(Array(desk.events.last?.arguments.dropFirst() ?? []) == ["talk"])
    #expect(desk.send("/session/talk/input/preferred", "line").errorCode == nil)
    #expect(desk.send("/session/talk/input/preferred", "none").errorCode == nil)
    #expect(desk.get("/session/talk/input/preferred") == ["none"])
  }

  @Test("The sentence of a refusal names the inputs that may be chosen")
  func sentences() throws {
    var desk = try Self.stage()
    try desk.plug(.input, "hfp", .bluetoothHFP, channels: 1)
    func sentence(_ address: String, _ value: String) -> String? {
      guard
        case .string(let text)? = desk.send(OSCMessage(address, .string(value))).errors.first?.arguments.last
      else { return nil }
      return text
    }
    #expect(
      sentence("/session/talk/input/preferred", "hfp")
        == "hfp is bluetoothHFP, which talk uses only with the option allowBluetoothHFP; available are usb, mic"
    )
    #expect(
      sentence("/session/music/input/preferred", "mic")
        == "music is playback, which captures nothing; playAndRecord, record and multiRoute do")
    #expect(
      sentence("/session/talk/input/preferred", "mik") == "there is no input mik; did you mean 'mic'?")
    try desk.unplug(.input, "usb")
    #expect(
      sentence("/session/talk/input/preferred", "usb") == "usb is not there now; available are mic")
    #expect(
      sentence("/session/music/override", "speaker")
        == "music is playback, whose output is not overridden; playAndRecord's is")
  }
}
