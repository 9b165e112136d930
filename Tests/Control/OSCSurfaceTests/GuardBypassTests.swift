import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// Every way by which a client with the permission `control` could lead a guarded stream to the output that its guard forbids, or raise a
/// session above its maximum.
@Suite("Guards and maxima cannot be bypassed")
struct GuardBypassTests {
  private static let mixer = RightsTests.mixer

  /// The session show has a stream `click` that never goes to usb, and a maximum of -12 dB. Both were set by an admin.
  private static func desk() throws -> Desk {
    var desk = try Desk.stage(admission: RightsTests.desk().surface.admission)
    desk.send("/session/show/stream/create", "click", 1)
    desk.send("/session/show/stream/click/never", "usb")
    desk.send("/session/show/stream/click/route", "headphones")
    desk.send("/session/show/max", -12.0)
    desk.events = []
    return desk
  }

  private static func isSilentAtUsb(_ desk: Desk) -> Bool {
    desk.state.sessions["show"]?.streams["click"]?.destinations["usb"] == nil
  }

  @Test("Removing a guarded stream or its session takes admin, also in a bundle and by a request")
  func removal() throws {
    var desk = try Self.desk()
    let before = desk.state
    #expect(desk.send("/session/show/stream/remove", "click", from: Self.mixer).errorCode == .denied)
    #expect(desk.send("/session/remove", "show", from: Self.mixer).errorCode == .denied)
    #expect(desk.send("/request", 1, "/session/remove", "show", from: Self.mixer)["/response"]?[1] == 8)
    let bundle = desk.bundle(
      OSCMessage("/session/show/stream/remove", "click"),
      OSCMessage("/session/show/stream/create", "click", 1),
      OSCMessage("/session/show/stream/click/route", "usb"), from: Self.mixer)
    #expect(bundle.errors.contains { $0.arguments[2] == "denied" })
    #expect(desk.state == before)
    // A stream without a guard may go.
    desk.send("/session/show/stream/create", "band")
    #expect(desk.send("/session/show/stream/remove", "band", from: Self.mixer).isEmpty)
  }

  @Test("Patterns, routes, destinations and maps of a control client end denied")
  func patterns() throws {
    var desk = try Self.desk()
    for message in [
      OSCMessage("/session/show/stream/click/route", "usb"),
      OSCMessage("/session/*/stream/click/to/usb/on", 1),
      OSCMessage("/session/show/stream/click/to/usb/on", 1),
      OSCMessage("/session/show/stream/click/to/usb/gain", 0.0),
      OSCMessage("/session/show/stream/click/to/usb/map", "1:1"),
      OSCMessage("/session/show/stream/click/never", "none"), OSCMessage("/session/*/stream/*/never", "none"),
      OSCMessage("/session/show/max", 0.0), OSCMessage("/session/*/max", 0.0),
    ] {
      let answers = desk.send(message, from: Self.mixer)
      #expect(!answers.errors.isEmpty, "\(message)")
      #expect(Self.isSilentAtUsb(desk))
    }
    #expect(desk.send("/session/show/gain", 0.0, from: Self.mixer).errorCode == .outOfRange)
    // Another name changes nothing.
    desk.send("/session/show/name", "other", from: Self.mixer)
    #expect(desk.send("/session/show/stream/click/route", "usb", from: Self.mixer).errorCode == .denied)
  }

  @Test(
    "A guard and a maximum are in force again when an admin or a recall has removed their ids and they exist again"
  )
  func remembered() throws {
    var desk = try Self.desk()
    desk.send("/session/show/stream/remove", "click")
    #expect(desk.send("/session/show/stream/create", "click", 1, from: Self.mixer).isEmpty)
    #expect(
      Self.isSilentAtUsb(desk),
      "a new stream begins at the first output, but not at one that its guard forbids")
    #expect(desk.get("/session/show/stream/click/never") == ["usb"])
    #expect(desk.send("/session/show/stream/click/route", "usb", from: Self.mixer).errorCode == .denied)
    // A recall removes sessions, too.
    try desk.happen(.removeSession("show"))
    #expect(desk.send("/session/create", "show", "multiRoute", from: Self.mixer).isEmpty)
    #expect(desk.send("/session/show/stream/create", "click", 1, from: Self.mixer).isEmpty)
    #expect(Self.isSilentAtUsb(desk))
    #expect(desk.get("/session/show/max") == [-12.0] && desk.get("/session/show/gain") == [-12.0])
    #expect(desk.send("/session/show/gain", 0.0, from: Self.mixer).errorCode == .outOfRange)
    // An admin changes both for good.
    desk.send("/session/show/stream/click/never", "none")
    desk.send("/session/show/max", 10.0)
    desk.send("/session/remove", "show", from: Self.mixer)
    desk.send("/session/create", "show", "multiRoute", from: Self.mixer)
    #expect(desk.get("/session/show/max") == [10.0])
  }

  @Test(
    "A guard holds at an output that reaches the same JACK ports under another name, also while the device is away"
  )
  func otherNames() throws {
    var desk = try Self.desk()
    let glob = try #require(PortGlob("usb:*"))
    try desk.happen(
      .declarePort(.output, Port(id: "pa", name: "pa", type: .usbAudio, globs: [glob], channels: 4)))
    // The router does not know yet which JACK ports the output has.
    desk.send("/session/show/stream/click/route", "pa", from: Self.mixer)
    try desk.happen(.portsPresent([PortPresence(.output, "pa", members: (1...4).map { "usb:\($0)" })]))
    #expect(desk.state.sessions["show"]?.streams["click"]?.destinations.keys == [])
    #expect(desk.send("/session/show/stream/click/route", "pa", from: Self.mixer).errorCode == .denied)
    try desk.unplug(.output, "pa")
    try desk.unplug(.output, "usb")
    #expect(desk.send("/session/show/stream/click/to/pa/on", 1, from: Self.mixer).errorCode == .denied)
    // Other channels of the same device are another output.
    try desk.happen(
      .declarePort(.output, Port(id: "rear", name: "rear", type: .usbAudio, globs: [glob], channels: 2)))
    try desk.happen(.portsPresent([PortPresence(.output, "rear", members: ["usb:5", "usb:6"])]))
    #expect(desk.send("/session/show/stream/click/route", "rear", from: Self.mixer).isEmpty)
  }
}
