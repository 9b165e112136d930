import OSC
import OSCSurface
import SessionModel
import Testing

@Suite("Ducking over OSC")
struct DuckingTests {
  /// A desk where `music` plays, `voice` ducks others when it becomes active, and the client `other` subscribes to a pattern.
  private static func stage(_ pattern: String, rate: Double = 50) throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/session/music/options", "mixWithOthers")
    desk.send("/session/create", "voice", "playback", "default", "duckOthers")
    for session in ["music", "voice"] { try desk.happen(.connected(SessionID(session)!, true)) }
    desk.send("/session/music/active", 1)
    desk.send("/subscribe", .string(pattern), .float(Float(rate)), from: Desk.other)
    desk.wait(1, as: Desk.other)
    return desk
  }

  private static func levels(_ messages: [OSCMessage]) -> [Float] {
    messages.filter { $0.address == "/session/music/duck/now" }.compactMap {
      if case .float(let level) = $0.arguments[0] { level } else { nil }
    }
  }

  @Test("The present attenuation is followed along its ramp, at most at the client's rate, to its end")
  func now() throws {
    var desk = try Self.stage("/session/*/duck/now", rate: 20)
    desk.send("/session/voice/active", 1)
    let down = desk.wait(0.5, as: Desk.other)
    let levels = Self.levels(down)
    #expect((4...6).contains(levels.count), "\(levels)")
    #expect(levels == levels.sorted(by: >))
    #expect(levels.last == -14)
    #expect(!down.contains { $0.address == "/session/voice/duck/now" }, "the ducker itself is not attenuated")
    #expect(desk.isIdle)
    #expect(desk.wait(5, as: Desk.other).isEmpty)
    desk.send("/session/voice/active", 0)
    let up = Self.levels(desk.wait(1, as: Desk.other))
    #expect((15...18).contains(up.count), "\(up)")
    #expect(up == up.sorted())
    #expect(up.last == 0)
    #expect(desk.isIdle)
  }

  @Test("A client that subscribes while a duck moves gets its values to the end")
  func late() throws {
    var desk = try Self.stage("/ramp")
    desk.send("/session/voice/active", 1)
    desk.send("/subscribe", "/session/music/duck/now")
    let levels = Self.levels(desk.wait(0.5))
    #expect(levels.count > 3)
    #expect(levels.last == -14)
  }

  @Test("Without subscribers the surface does not follow ducks and fades")
  func unwatched() throws {
    var desk = try Desk.stage()
    desk.send("/session/music/gain/fade", -20, 10)
    #expect(desk.isIdle)
    desk.send("/subscribe", "/session/music/gain", 10)
    let heard = desk.wait(12).filter { $0.address == "/session/music/gain" }
    #expect((95...105).contains(heard.count))
    #expect(heard.last?.arguments == [-20.0])
  }

  @Test("A ducker's own value replaces the router's, and inherit removes it")
  func inheritance() throws {
    var desk = try Self.stage("/session/voice/duck")
    #expect(desk.get("/session/voice/duck/level") == ["inherit"])
    #expect(desk.send("/session/voice/duck/level", -14).isEmpty)
    #expect(
      desk.wait(0.1, as: Desk.other)["/session/voice/duck/level"] == [-14.0], "its own, though the same")
    desk.send("/session/voice/duck/level/inc", -6)
    #expect(desk.wait(0.1, as: Desk.other)["/session/voice/duck/level"] == [-20.0])
    #expect(desk.send("/session/voice/duck/level", -99)["/session/voice/duck/level"] == [-60.0])
    desk.wait(0.1, as: Desk.other)
    desk.send("/session/voice/duck/level", "Inherit")
    #expect(desk.wait(0.1, as: Desk.other)["/session/voice/duck/level"] == ["inherit"])
    desk.send("/session/voice/duck/level/reset")
    desk.send("/duck/level", -10)
    desk.send("/duck/level/fade", -12, 1)
    #expect(desk.wait(2, as: Desk.other).isEmpty, "it reads inherit whatever the router's value does")
    desk.send("/session/voice/active", 1)
    desk.wait(1)
    #expect(desk.get("/session/music/duck/now") == [-12.0])
    desk.send("/session/voice/duck/level", -30)
    desk.wait(1)
    #expect(desk.get("/session/music/duck/now") == [-30.0])
    desk.send("/output/radio/duck/limit", -9)
    desk.wait(1)
    #expect(desk.get("/session/music/duck/now") == [-9.0])
    desk.send("/session/music/duck/exempt", 1)
    desk.wait(1)
    #expect(desk.get("/session/music/duck/now") == [0.0])
  }
}
