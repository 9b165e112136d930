import ControlInterface
import OSC
import Parameters
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Strips and banks")
struct StripTests {
  /// Ten targets in the order of banks: two sessions with two streams each, and four outputs.
  static let order = [
    "/session/show", "/session/show/stream/main", "/session/show/stream/click", "/session/music",
    "/session/music/stream/main", "/session/music/stream/fx", "/output/usb", "/output/headphones",
    "/output/mono", "/output/radio",
  ]

  private func desk() throws -> Desk {
    var desk = try Desk.stage()
    #expect(desk.send("/session/show/stream/create", "click", 1).isEmpty)
    #expect(desk.send("/session/music/stream/create", "fx").isEmpty)
    return desk
  }

  private func targets(_ desk: inout Desk, _ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { number in
      guard case .string(let text)? = desk.get("/strip/\(number)/assign")?.first else { return "?" }
      return text
    }
  }

  @Test("A bank of 4 or 8 strips moves over ten targets, and stays at the ends", arguments: [4, 8])
  func moves(_ size: Int) throws {
    var desk = try desk()
    #expect(desk.send("/bank/1/size", .int32(Int32(size))).isEmpty)
    #expect(targets(&desk, 1...size) == Array(Self.order[..<size]))
    desk.send("/bank/1/prev", 1)
    #expect(desk.get("/bank/1/at") == [0])
    desk.send("/bank/1/next", 1)
    // The release of the button is no second press.
    desk.send("/bank/1/next", 0)
    #expect(desk.get("/bank/1/at") == [.int32(Int32(size))])
    for _ in 0..<4 { desk.send("/bank/1/next") }
    let last = 10 - 10 % size
    let rest = Array(Self.order[last...])
    #expect(targets(&desk, 1...size) == rest + Array(repeating: "none", count: size - rest.count))
    #expect(desk.get("/strip/\(size)/name") == [""] && desk.get("/strip/\(size)/fader") == [0.0])
    desk.send("/bank/1/at", 3)
    #expect(
      targets(&desk, 1...size) == Array(Self.order[3..<min(10, 3 + size)])
        + Array(repeating: "none", count: max(0, size - 7)))
    for _ in 0..<4 { desk.send("/bank/1/prev") }
    #expect(targets(&desk, 1...size) == Array(Self.order[..<size]))
  }

  @Test(
    "Targets move up when one in between is removed, and subscribers hear the new values", arguments: [4, 8])
  func removal(_ size: Int) throws {
    var desk = try desk()
    desk.send("/bank/1/size", .int32(Int32(size)))
    desk.send("/session/show/stream/click/gain", -3)
    desk.send("/session/music/gain", -20)
    desk.send("/subscribe", "/strip/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send("/session/show/stream/remove", "click")
    var order = Self.order
    order.remove(at: 2)
    #expect(targets(&desk, 1...size) == Array(order[..<size]))
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/3/assign"] == ["/session/music"] && heard["/strip/3/name"] == ["music"])
    #expect(heard["/strip/3/gain"] == [-20.0] && heard["/strip/3/gain/text"] == ["-20.0 dB"])
    // Behind the last target a strip becomes empty.
    desk.send("/bank/1/at", 8)
    #expect(targets(&desk, 1...2) == ["/output/radio", "none"])
    #expect(desk.wait(0.2, as: Desk.other)["/strip/2/name"] == [""])
    // If the targets are fewer than the place of a bank, it shows the last ones.
    desk.send("/session/remove", "music")
    let left = ["/session/show", "/session/show/stream/main"] + Self.order[6...]
    #expect(targets(&desk, 1...4) == Array(left[max(0, 6 - size)...].prefix(4)))
  }

  @Test("A strip and its target are one value, in both directions")
  func alias() throws {
    var desk = try desk()
    desk.send("/strip/2/assign", "/output/usb")
    desk.send("/subscribe", from: Desk.other)
    desk.wait(1, as: Desk.other)
    #expect(desk.send("/strip/2/fader", 0.75).isEmpty)
    #expect(desk.get("/output/usb/gain") == [0.0])
    desk.send("/strip/2/gain", -12)
    var heard = desk.wait(0.2, as: Desk.other)
    for address in ["/output/usb/gain", "/strip/2/gain"] { #expect(heard[address] == [-12.0], "\(address)") }
    #expect(heard["/strip/2/fader"] == heard["/output/usb/fader"] && heard["/strip/2/fader"] != nil)
    #expect(heard["/strip/2/gain/text"] == ["-12.0 dB"])
    desk.send("/output/usb/mute", 1)
    heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/2/mute"] == [1] && heard["/strip/2/state"] == ["muted"])
    desk.send("/strip/2/mute/toggle")
    #expect(desk.get("/output/usb/mute") == [0])
    desk.send("/strip/2/name", "House")
    desk.send("/strip/2/color", "#ff0000")
    #expect(desk.get("/output/usb/name") == ["House"] && desk.get("/output/usb/color") == ["#ff0000"])
    desk.send("/strip/2/gain/inc", 2)
    #expect(desk.get("/output/usb/gain") == [-10.0])
    desk.send("/strip/2/gain/reset")
    #expect(desk.get("/output/usb/gain") == [0.0])
  }

  @Test("A fade of a strip moves the target, and both are fed back until the end")
  func fades() throws {
    var desk = try desk()
    desk.send("/strip/1/assign", "/session/show")
    desk.send("/subscribe", "/strip/1/gain", from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send("/strip/1/gain/fade", -40, 0.5)
    let heard = desk.wait(0.7, as: Desk.other).filter { $0.address == "/strip/1/gain" }
    #expect(heard.count > 5 && heard.last?.arguments == [-40.0])
    #expect(desk.get("/session/show/gain") == [-40.0])
  }

  @Test("Who touches a strip gets no feedback of it, and no fade moves its target")
  func touches() throws {
    var desk = try desk()
    desk.send("/strip/1/assign", "/session/show")
    desk.send("/subscribe", "/*", 1_000, from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send("/strip/1/fader/touch", 1, from: Desk.other)
    desk.send("/session/show/gain", -9)
    let addresses = Set(desk.wait(0.2, as: Desk.other).map(\.address))
    #expect(addresses.isDisjoint(with: ["/strip/1/gain", "/strip/1/fader", "/session/show/gain"]))
    desk.send("/session/show/gain/fade", -60, 0.1)
    desk.wait(0.2, as: Desk.other)
    #expect(desk.get("/session/show/gain") == [-9.0])
    _ = desk.send("/strip/1/fader/touch", 0, from: Desk.other)
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/1/gain"] == [-9.0] && heard["/session/show/gain"] == [-9.0])
  }

  @Test("A strip has the maximum, the lock and the guard of its target")
  func limits() throws {
    var desk = try desk()
    desk.send("/strip/1/assign", "/output/usb")
    desk.send("/output/usb/max", -6)
    #expect(desk.send("/strip/1/gain", 0).errorCode == .outOfRange)
    #expect(desk.send("/strip/1/fader", 1)["/strip/1/fader"] == desk.get("/output/usb/fader"))
    desk.send("/session/show/stream/click/never", "usb")
    desk.send("/strip/2/assign", "/session/show/stream/click/to/usb")
    let refusal = desk.send("/strip/2/on", 1)
    #expect(refusal.errorCode == .denied && refusal["/strip/2/on"] == [0])
    #expect(desk.send("/request", 1, "/strip/1/gain", -20)["/response"] == [1, 0, "/strip/1/gain", -20.0])
  }

  @Test("A set of a strip without a target, or without such a leaf, is an error that says so")
  func errors() throws {
    var desk = try desk()
    let none = desk.send("/strip/7/fader", 0.5)
    #expect(none.errorCode == .notFound && none["/strip/7/fader"] == [0.0])
    #expect("\(none["/error"] ?? [])".contains("/strip/7/assign"))
    desk.send("/strip/1/assign", "/session/show/stream/main")
    #expect(desk.send("/strip/1/on", 1).errorCode == .notFound)
    #expect(desk.send("/strip/1/name", "x").errorCode == .notFound)
    #expect(desk.get("/strip/1/name") == ["main"] && desk.get("/strip/1/on") == [0])
    #expect(desk.send("/strip/1/assign", "/output/usv").errorCode == .notFound)
    #expect(desk.send("/strip/1/assign", "/preset/go").errorCode == .badValue)
    #expect(desk.get("/strip/1/assign") == ["/session/show/stream/main"])
    #expect(desk.send("/strip/65/fader", 0.5).errorCode == .unknownAddress)
    #expect(desk.send("/strip/1/state", "heard").errorCode == .readOnly)
  }

  @Test("A strip whose target is gone is empty and off, and follows the target when it is back")
  func gone() throws {
    var desk = try desk()
    desk.send("/session/music/gain", -20)
    desk.send("/session/music/mute", 1)
    desk.send("/strip/4/assign", "/session/music")
    desk.send("/subscribe", "/strip/4", from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send("/session/remove", "music")
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/4/name"] == [""] && heard["/strip/4/state"] == [""])
    #expect(heard["/strip/4/gain"] == [-90.0] && heard["/strip/4/mute"] == [0])
    #expect(heard["/strip/4/fader"] == [0.0] && heard["/strip/4/gain/text"] == ["off"])
    #expect(desk.send("/strip/4/fader", 0.5).errorCode == .notFound)
    desk.send("/session/create", "music", "playback")
    #expect(desk.wait(0.2, as: Desk.other)["/strip/4/name"] == ["music"])
  }

  @Test("An own target stays while the bank moves over the others")
  func pinned() throws {
    var desk = try desk()
    desk.send("/bank/1/size", 4)
    desk.send("/strip/4/assign", "/output/radio")
    #expect(targets(&desk, 1...4) == Array(Self.order[..<3]) + ["/output/radio"])
    desk.send("/bank/1/next")
    #expect(targets(&desk, 1...4) == Array(Self.order[3..<6]) + ["/output/radio"])
    desk.send("/strip/4/assign", "none")
    #expect(targets(&desk, 1...4) == Array(Self.order[3..<7]))
  }

  @Test("Banks have strips of their own, and one that would take those of another is refused")
  func banks() throws {
    var desk = try desk()
    desk.send("/bank/1/size", 8)
    desk.send("/bank/2/size", 4)
    desk.send("/bank/2/at", 6)
    #expect(targets(&desk, 9...12) == Array(Self.order[6...]))
    #expect(targets(&desk, 1...1) == ["/session/show"])
    #expect(desk.send("/bank/1/size", 9).errorCode == .isBusy)
    #expect(desk.send("/bank/8/size", 9).errorCode == .outOfRange)
    #expect(desk.get("/bank/1/size") == [8])
  }

  @Test("A pattern moves each target once, and leaves strips without a target alone")
  func patterns() throws {
    var desk = try desk()
    desk.send("/strip/assign", "/output/usb", "/output/headphones", "5=/output/usb")
    desk.send("/output/usb/gain", -10)
    #expect(desk.send("/strip/*/gain/inc", 1).isEmpty)
    #expect(desk.get("/output/usb/gain") == [-9.0] && desk.get("/output/headphones/gain") == [1.0])
    #expect(desk.send("/{strip,output}/*/mute", 1).isEmpty)
    #expect(desk.get("/strip/5/mute") == [1] && desk.get("/output/radio/mute") == [1])
    #expect(desk.send("/strip/2?/mute", 1).errorCode == .notFound)
    #expect(desk.get("/strip/assign") == ["/output/usb", "/output/headphones", "5=/output/usb"])
  }

  @Test("Meters of strips are those of their targets, and fall to silence without one")
  func meters() throws {
    var desk = try desk()
    desk.send("/bank/1/size", 2)
    desk.send("/bank/1/at", 9)
    desk.send("/subscribe", "/strip/*/meter", from: Desk.other)
    desk.wait(0.2, as: Desk.other)
    #expect(desk.surface.wantsMeters)
    var levels = MeterLevels()
    levels.outputs["radio"] = [0.5, 1]
    desk.surface.measure(levels)
    var heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/1/meter"]?.count == 2 && heard["/strip/1/meter/level"] == [1.0])
    #expect(heard["/strip/2/meter"] == [-160.0] && heard["/strip/64/meter/level"] == [0.0])
    #expect(desk.get("/strip/1/meter/level") == [1.0])
    desk.send("/bank/1/at", 8)
    desk.surface.measure(levels)
    heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/strip/1/meter"] == [-160.0] && heard["/strip/2/meter/level"] == [1.0])
    #expect(heard["/strip/64/meter"] == nil)
    desk.send("/subscribe", "/strip/*/fader", from: Desk.me)
    desk.send("/unsubscribe", from: Desk.other)
    #expect(!desk.surface.wantsMeters)
  }
}
