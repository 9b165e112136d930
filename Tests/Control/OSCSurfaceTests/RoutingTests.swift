import OSC
import SessionModel
import Testing

@Suite("Sessions, streams and their routes")
struct RoutingTests {
  static let route = "/session/show/stream/main/route"

  @Test(
    "A new session is inactive; it has a stream if its category has output, and a capture if it has input")
  func create() throws {
    var desk = try Desk.stage()
    desk.send("/session/create", "plain")
    #expect(desk.get("/session/plain/category") == ["soloAmbient"])
    #expect(desk.get("/session/plain/active") == [0])
    #expect(desk.get("/session/plain/capture/channels") == [0])
    #expect(desk.get("/session/show/capture/channels") == [1])
    #expect(
      desk.send("/session/show/stream/list") == [OSCMessage("/session/show/stream/list", 0, 1, "main", 2)])
    desk.send("/session/create", "mixed", "MultiRoute", "default", "mixWithOthers")
    #expect(desk.get("/session/mixed/options") == ["mixWithOthers"])
    // A multiRoute stream made over OSC starts on the first channels of the first port.
    #expect(desk.get("/session/mixed/stream/main/route") == ["usb"])
  }

  @Test("The first port is one that the preset names, while it names any")
  func firstPort() throws {
    var desk = Desk()
    var found = Port(id: "system", name: "system", type: .lineOut, globs: [], channels: 2)
    found.isNamedByPreset = false
    try desk.happen(.declarePort(.output, found))
    try desk.happen(
      .portsPresent([PortPresence(.output, "system", members: ["system:playback_1", "system:playback_2"])]))
    desk.send("/session/create", "early", "multiRoute")
    #expect(desk.get("/session/early/stream/main/route") == ["system"])
    try desk.plug(.output, "usb", .usbAudio, channels: 4)
    desk.send("/session/create", "late", "multiRoute")
    #expect(desk.get("/session/late/stream/main/route") == ["usb"])
    #expect(desk.get("/output/system/auto") == [0])
    #expect(desk.get("/session/late/route") == ["in:none out:usb"])
    // A stream that is sent to a found port is heard there.
    desk.send("/session/late/stream/main/route", "system,usb")
    #expect(desk.get("/session/late/route") == ["in:none out:system,usb"])
  }

  @Test(
    "A refused creation or removal gets the error of its reason",
    arguments: [
      (OSCMessage("/session/create", "show"), ErrorCode.exists),
      (OSCMessage("/session/create", "Show"), .badValue),
      (OSCMessage("/session/create", "list"), .badValue), (OSCMessage("/session/create"), .badValue),
      (OSCMessage("/session/create", 1), .badType), (OSCMessage("/session/create", "x", "loud"), .badValue),
      (OSCMessage("/session/create", "x", "record", "spokenAudio"), .badParam),
      (OSCMessage("/session/create", "x", "record", "default", "duckOthers"), .badParam),
      (OSCMessage("/session/create", "x", "playback", "default", "mixWithOthers+nothing"), .badValue),
      (OSCMessage("/session/create", "x", "soloAmbient", "default", "mixWithOthers"), .badParam),
      (OSCMessage("/session/create", "x", "multiRoute", "default", "allowBluetoothHFP"), .badParam),
      (OSCMessage("/session/remove", "absent"), .notFound),
      (OSCMessage("/session/show/stream/create", "main"), .exists),
      (OSCMessage("/session/show/stream/create", "capture"), .badValue),
      (OSCMessage("/session/show/stream/create", "x", 0), .outOfRange),
      (OSCMessage("/session/show/stream/create", "x", 65), .outOfRange),
      (OSCMessage("/session/show/stream/create", "x", .float(1e20)), .outOfRange),
      (OSCMessage("/session/show/stream/remove", "x"), .notFound),
      (OSCMessage("/session/show/mode", "voiceChat"), .badParam),
      (OSCMessage("/session/show/mode", "loud"), .badValue),
      (OSCMessage("/session/show/options/mask", 16), .badParam),
      (OSCMessage("/session/show/options/mask", 256), .badParam),
      (OSCMessage("/session/show/options/mask", 1_048_576), .outOfRange),
      (OSCMessage("/session/show/option/defaultToSpeaker", 1), .badParam),
      (OSCMessage("/session/show/set", "playback", "default"), .badValue),
      (OSCMessage("/session/show/set", "soloAmbient", "default", "mixWithOthers"), .badParam),
    ])
  func refused(_ message: OSCMessage, _ code: ErrorCode) throws {
    var desk = try Desk.stage()
    let before = desk.state
    #expect(desk.send(message).errorCode == code)
    #expect(desk.state == before)
  }

  @Test("There are at most 1,000 sessions, and 64 streams in one")
  func full() throws {
    var desk = try Desk.stage()
    for number in 3...1_000 { desk.send("/session/create", .string("s\(number)")) }
    #expect(desk.send("/session/create", "more").errorCode == .full)
    desk.send("/session/remove", "music")
    #expect(desk.send("/session/create", "more").isEmpty)
    for number in 2...64 { desk.send("/session/show/stream/create", .string("s\(number)")) }
    #expect(desk.send("/session/show/stream/create", "more").errorCode == .full)
  }

  @Test(
    "A route reads back in the order of the outputs, without a gain of 0 dB",
    arguments: [
      ("usb:1-2", "usb:1-2"), ("headphones=-6,usb:3-4=0", "usb:3-4,headphones=-6"), ("none", "none"),
      ("mono", "mono"), ("usb", "usb"), ("headphones=-3.3, usb", "usb,headphones=-3.3"),
      ("usb=off", "usb=-90"),
      ("usb:1:3+2:4", "usb:1:3+2:4"), ("headphones=10", "headphones=10"),
    ])
  func reading(_ text: String, _ expected: String) throws {
    var desk = try Desk.stage()
    #expect(desk.send(Self.route, .string(text)).isEmpty)
    #expect(desk.get(Self.route) == [.string(expected)])
    // The text that reads back can be set again.
    #expect(desk.send(Self.route, .string(expected)).isEmpty)
    #expect(desk.get(Self.route) == [.string(expected)])
  }

  @Test(
    "An impossible route is refused",
    arguments: [
      ("nowhere", ErrorCode.badParam), ("radio", .badParam), ("usb:5", .badParam), ("usb:4-5", .badParam),
      ("usb:1", .badParam), ("usb:1-3", .badParam), ("mono:1", .badParam), ("usb,usb:3-4", .badParam),
      ("usb:1:9", .badParam), ("usb:3:1", .badParam), ("usb=11", .outOfRange), ("usb=loud", .badValue),
      ("usb=nan", .badValue), ("", .badValue), ("usb,,mono", .badValue), ("usb:0", .badValue),
      ("usb:2-1", .badValue),
      ("USB", .badValue),
    ])
  func refusedRoutes(_ text: String, _ code: ErrorCode) throws {
    var desk = try Desk.stage()
    let answers = desk.send(Self.route, .string(text))
    #expect(answers.errorCode == code)
    #expect(answers[Self.route] == ["usb"])
  }

  @Test("A mono stream fills its range; three channels do not go into two")
  func widths() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/stream/create", "click", 1)
    for text in ["usb", "usb:2", "usb:1-4", "headphones:1-2", "mono"] {
      #expect(desk.send("/session/show/stream/click/route", .string(text)).isEmpty, "\(text)")
    }
    desk.send("/session/show/stream/click/route", "usb:3-4")
    #expect(desk.get("/session/show/stream/click/to/usb/map") == ["1:3,1:4"])
    #expect(desk.send("/session/show/stream/click/to/usb/map", "1:3,1:4").isEmpty)
    desk.send("/session/show/stream/create", "surround", 3)
    #expect(desk.send("/session/show/stream/surround/route", "headphones").errorCode == .badParam)
    #expect(desk.send("/session/show/stream/surround/route", "usb").isEmpty)
    #expect(desk.send("/session/show/stream/surround/pan", 1).errorCode == .badParam)
  }

  @Test("A destination is made by switching it on, and keeps gain and map while it is off")
  func destinations() throws {
    var desk = try Desk.stage()
    let to = "/session/show/stream/main/to/headphones"
    // A destination that was never made reads as off.
    #expect(desk.get("\(to)/on") == [0])
    #expect(desk.get("\(to)/gain") == [0.0])
    #expect(desk.get("\(to)/map") == ["default"])
    desk.send("\(to)/on", 1)
    desk.send("\(to)/gain", -6)
    desk.send("\(to)/map", "1:2,2:1")
    desk.send("\(to)/tap", "pre")
    desk.send("\(to)/on", 0)
    #expect(desk.get(Self.route) == ["usb"])
    #expect(desk.get("\(to)/gain") == [-6.0])
    desk.send("\(to)/on", 1)
    #expect(desk.get(Self.route) == ["usb,headphones:1:2+2:1=-6"])
    #expect(desk.get("\(to)/tap") == ["pre"])
    #expect(desk.send("\(to)/map", "1:3").errorCode == .badParam)
    #expect(desk.send("\(to)/map", "first").errorCode == .badValue)
  }

  @Test("An unknown output is -50 for a stream, and not an address to read")
  func unknownOutput() throws {
    var desk = try Desk.stage()
    for leaf in ["on", "gain", "fader"] {
      #expect(desk.send("/session/show/stream/main/to/nowhere/\(leaf)", 1).errorCode == .badParam)
    }
    #expect(desk.send("/session/show/stream/main/to/nowhere/gain").errorCode == .unknownAddress)
    #expect(desk.send("/session/music/output/preferred", "nowhere").errorCode == .badParam)
    #expect(desk.send("/session/show/capture/session/absent/on", 1).errorCode == .unknownAddress)
    #expect(desk.send("/session/show/capture/session/show/on", 1).errorCode == .badParam)
    #expect(desk.send("/session/show/capture/session/music/on", 1).isEmpty)
    #expect(desk.send("/session/music/capture/session/show/on", 1).errorCode == .incompatibleCategory)
    #expect(desk.send("/session/show/capture/input/mic/gain", -3).isEmpty)
  }

  @Test(
    "A session of another category has one output, which the policy chooses: the last one in, or the preferred one"
  )
  func oneOutput() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/music/stream/main/route", "usb").errorCode == .incompatibleCategory)
    #expect(desk.send("/session/music/stream/main/to/usb/on", 1).errorCode == .incompatibleCategory)
    #expect(desk.get("/session/music/route") == ["in:none out:radio"])
    desk.send("/session/music/output/preferred", "headphones")
    #expect(desk.get("/session/music/route") == ["in:none out:headphones"])
    try desk.unplug(.output, "headphones")
    #expect(desk.get("/session/music/route") == ["in:none out:radio"])
    desk.send("/output/radio/auto", 0)
    #expect(desk.get("/session/music/route") == ["in:none out:mono"])
    #expect(desk.send("/session/show/output/preferred", "usb").errorCode == .badParam)
    #expect(desk.send("/session/show/output/preferred", "none").isEmpty)
  }

  @Test("A guard ends the destinations it forbids and refuses new ones, for one output and for many")
  func guards() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/show/stream/main/never", "usb").isEmpty)
    #expect(desk.get(Self.route) == ["none"])
    #expect(desk.send(Self.route, "usb").errorCode == .denied)
    #expect(desk.send(Self.route, "headphones,usb").errorCode == .denied)
    #expect(desk.send("/session/show/stream/main/to/usb/on", 1).errorCode == .denied)
    #expect(desk.send("/session/show/stream/main/to/usb/map", "1:3").errorCode == .denied)
    #expect(desk.get(Self.route) == ["none"])
    #expect(desk.send("/session/show/stream/main/never", "usb,mono", "headphones").isEmpty)
    #expect(desk.get("/session/show/stream/main/never") == ["usb", "mono", "headphones"])
    #expect(desk.send("/session/show/stream/main/never", "none").isEmpty)
    #expect(desk.send(Self.route, "usb").isEmpty)
    #expect(desk.send("/session/music/stream/main/never", "radio").isEmpty)
    #expect(desk.get("/session/music/route") == ["in:none out:mono"])
    #expect(desk.send("/session/music/output/preferred", "radio").errorCode == .denied)
  }

  @Test(
    "The category's own rules: options go with it, one option at a time, the mask and the text are one value")
  func configuration() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/options/mask", 1)
    #expect(desk.get("/session/show/options") == ["mixWithOthers"])
    #expect(desk.get("/session/show/option/mixWithOthers") == [1])
    desk.send("/session/show/mode", "default")
    #expect(desk.get("/session/show/options") == ["mixWithOthers"])
    desk.send("/session/show/category", "playback")
    #expect(desk.get("/session/show/options") == ["none"])
    desk.send("/session/show/set", "multiRoute", "default", "mixWithOthers")
    #expect(desk.get("/session/show/options/mask") == [1])
    desk.send("/session/show/option/mixWithOthers", 0)
    #expect(desk.get("/session/show/options") == ["none"])
  }
}
