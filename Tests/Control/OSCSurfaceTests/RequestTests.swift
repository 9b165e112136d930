import OSC
import OSCSurface
import SessionModel
import Testing

@Suite("Requests")
struct RequestTests {
  @Test("A request is answered with its id, zero, the address and the applied value")
  func applied() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/request", 5, "/session/show/gain", -6)
        == [OSCMessage("/response", 5, 0, "/session/show/gain", -6.0)])
    #expect(
      desk.send("/request", 6, "/session/show/gain/inc", -1)
        == [OSCMessage("/response", 6, 0, "/session/show/gain/inc", -7.0)])
    #expect(desk.send("/request", 7, "/session/show/mute/toggle")[0].arguments.last == 1)
    #expect(desk.send("/request", 8, "/session/show/gain")[0].arguments.last == -7.0)
    #expect(
      desk.send("/request", 9, "/ping", .blob([1]), "x")
        == [OSCMessage("/response", 9, 0, "/ping", .blob([1]), "x")])
    #expect(
      desk.send("/request", 11, "/session/show/gain/fade", -20, 4)
        == [OSCMessage("/response", 11, 0, "/session/show/gain/fade", -20.0, 4.0)])
    #expect(
      desk.send("/request", 12, "/session/show/gain/fade", -100, 4)
        == [OSCMessage("/response", 12, 0, "/session/show/gain/fade", -90.0, 4.0)])
    // A fader that is touched is not faded, so that the answer is its present value.
    desk.send("/session/show/gain/touch", 1)
    desk.send("/session/show/gain", -5)
    #expect(desk.send("/request", 13, "/session/show/gain/fade", -20, 4)[0].arguments.last == -5.0)
    #expect(
      desk.send("/request", 10, "/session/create", "late") == [
        OSCMessage("/response", 10, 0, "/session/create")
      ])
  }

  @Test("A refused request is answered with code, symbol and text, and the true value")
  func refused() throws {
    var desk = try Desk.stage()
    let answers = desk.send("/request", 5, "/session/show/gain", 11)
    #expect(answers.errors.isEmpty)
    #expect(answers["/response"]?.prefix(4) == [5, 4, "/session/show/gain", "outOfRange"])
    #expect(answers["/session/show/gain"] == [0.0])
    #expect(desk.send("/request", 6, "/request", 7, "/ping")["/response"]?[1] == 3)
    #expect(desk.send("/request", "x").errorCode == .badValue)
    #expect(desk.send("/request", .float(1e20), "/ping").errorCode == .outOfRange)
    #expect(desk.send("/request", 8).errorCode == .badValue)
  }

  @Test("A request for many values sends them first, and then a response with their number")
  func many() throws {
    var desk = try Desk.stage()
    let answers = desk.send("/request", 5, "/session/*/gain")
    #expect(answers.map(\.address) == ["/session/show/gain", "/session/music/gain", "/response"])
    #expect(answers.last?.arguments == [5, 0, "/session/*/gain", 2])
    let list = desk.send("/request", 6, "/output/list")
    #expect(list.last?.arguments == [6, 0, "/output/list", 4])
  }

  @Test(
    "A second request with the same id from the same client within 30 s is not performed, whatever its message"
  )
  func repeated() throws {
    var desk = try Desk.stage()
    let first = desk.send("/request", 5, "/session/show/gain/inc", -1)
    #expect(desk.send("/request", 5, "/session/show/gain/inc", -1) == first)
    #expect(desk.send("/request", 5, "/session/show/mute", 1) == first)
    #expect(desk.get("/session/show/gain") == [-1.0])
    desk.send("/request", 5, "/session/show/gain/inc", -1, from: Desk.other)
    #expect(desk.get("/session/show/gain") == [-2.0])
    desk.time += 30.1
    desk.send("/request", 5, "/session/show/gain/inc", -1)
    #expect(desk.get("/session/show/gain") == [-3.0])
    let step = OSCMessage("/request", 77, "/session/show/gain/inc", -1)
    #expect(desk.bundle(step, step).count == 1)
    #expect(desk.get("/session/show/gain") == [-4.0])
    let refused = desk.send("/request", 90, "/session/show/gain", 11)["/response"]
    #expect(desk.send("/request", 90, "/session/show/gain", 1)["/response"] == refused)
  }

  @Test("A sync inside a request is answered when the audio thread has adopted all earlier commands")
  func sync() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/request", 5, "/sync", 3).isEmpty)
    #expect(desk.syncs.map(\.message) == [OSCMessage("/response", 5, 0, "/sync")])
    #expect(desk.syncs.map(\.peer) == [Desk.me])
  }
}
