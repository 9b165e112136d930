import ControlInterface
import OSC
import SessionModel
import Testing

@Suite("The fingers of others")
struct FingerTests {
  /// A desk whose client `me`, the first, is told of fingers; the second, `other`, is named tablet.
  private func watched() throws -> Desk {
    var desk = try Desk.stage()
    let snapshot = desk.send("/subscribe", "/system/touched") + desk.wait(0.2)
    #expect(snapshot["/system/touched"] == ["none"])
    #expect(desk.send("/hello", "tablet", from: Desk.other)["/welcome"]?.first == 2)
    return desk
  }

  private func words(_ address: String) -> [OSCArgument] { [.string("\(address) 2 tablet")] }

  @Test("Everybody is told when a finger comes and goes, by whichever address of the level")
  func comesAndGoes() throws {
    var desk = try watched()
    desk.send("/session/show/fader/touch", 1, from: Desk.other)
    #expect(desk.wait(0.1)["/system/touched"] == words("/session/show/gain"))
    // The same finger says so again, as clients do.
    desk.send("/session/show/gain/touch", 1, from: Desk.other)
    desk.send("/session/show/fader", 0.5, from: Desk.other)
    #expect(desk.wait(0.5)["/system/touched"] == nil)
    #expect(desk.get("/system/touched") == words("/session/show/gain"))
    #expect(desk.snapshot("/system").messages["/system/touched"] == words("/session/show/gain"))
    desk.send("/session/show/gain/touch", 0, from: Desk.other)
    #expect(desk.wait(0.1)["/system/touched"] == ["none"])
  }

  @Test("A finger on a strip is one on its target; of two clients both are told")
  func strips() throws {
    var desk = try watched()
    desk.send("/strip/3/assign", "/output/usb")
    desk.send("/strip/3/fader/touch", 1, from: Desk.other)
    #expect(desk.wait(0.1)["/system/touched"] == words("/output/usb/gain"))
    desk.send("/output/usb/fader/touch", 1)
    let both = desk.wait(0.1)["/system/touched"] ?? []
    #expect(both.count == 2 && both.contains(words("/output/usb/gain")[0]))
  }

  @Test("A finger that is not heard of for 10 s, or whose client leaves, is gone for all")
  func ends() throws {
    var desk = try watched()
    desk.send("/session/show/fader/touch", 1, from: Desk.other)
    desk.wait(0.1)
    #expect(desk.wait(10)["/system/touched"] == ["none"])
    desk.send("/session/show/fader/touch", 1, from: Desk.other)
    desk.wait(0.1)
    desk.send("/bye", from: Desk.other)
    #expect(desk.wait(0.1)["/system/touched"] == ["none"])
  }

  @Test("However many faders a pattern touches, at most 32 fingers are told")
  func many() throws {
    var desk = try watched()
    for number in 0..<40 {
      desk.send("/session/create", .string("s\(number)"), "playback", "default", "mixWithOthers")
    }
    desk.send("/session/*/fader/touch", 1, from: Desk.other)
    #expect(desk.wait(0.1)["/system/touched"]?.count == 32)
    desk.send("/session/*/fader/touch", 0, from: Desk.other)
    #expect(desk.wait(0.1)["/system/touched"] == ["none"])
  }

  @Test("Nobody sets it")
  func rights() throws {
    var desk = try watched()
    #expect(desk.send("/system/touched", "x").errorCode == .readOnly)
  }
}
