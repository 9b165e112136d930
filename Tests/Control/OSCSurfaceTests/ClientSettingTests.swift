import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// docs/develop/law/osc.md#9-clients, rules 9.12 to 9.14
@Suite("What a client sets about itself")
struct ClientSettingTests {
  private func client() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/session")
    desk.wait(1)
    return desk
  }

  @Test(
    "Each setting is read at its address, and a bad value is refused and changes nothing",
    arguments: [
      ("port", 9_000, 7_000, 70_000), ("keep", 0, 1, "maybe"), ("echo", "settled", "never", "loud"),
      ("rate", 30.0, 5.0, "fast"), ("boolean", "i", "tf", "x"), ("timetags", "now", "honour", "later"),
      ("ack", 0, 1, "maybe"), ("bundles", 0, 1, "maybe"),
    ] as [(String, OSCArgument, OSCArgument, OSCArgument)])
  func settings(_ name: String, _ usual: OSCArgument, _ other: OSCArgument, _ wrong: OSCArgument) throws {
    var desk = try client()
    let address = "/client/\(name)"
    #expect(desk.send(OSCMessage(address)) == [OSCMessage(address, usual)])
    #expect(desk.send(OSCMessage(address, wrong)).errorCode != nil)
    #expect(desk.send(OSCMessage(address)) == [OSCMessage(address, usual)])
    desk.send(OSCMessage(address, other))
    // The answer may come to another port, and be F or T.
    let answer = desk.send(OSCMessage(address)) + desk.wait(0, as: Desk.local(7_000))
    #expect(answer.last { $0.address == address }?.arguments == [other])
  }

  @Test("Only clients have settings; a program may become one in the same packet")
  func strangers() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/client/echo", "never").errorCode == .notFound)
    #expect(desk.send("/client/keep").errorCode == .notFound)
    #expect(
      desk.bundle(OSCMessage("/subscribe", "/ramp"), OSCMessage("/client/keep", 1)).errorCode == nil)
    desk.wait(0.1)
    #expect(desk.send("/client/keep") == [OSCMessage("/client/keep", 1)])
    #expect(
      desk.bundle(OSCMessage("/hello", "b"), OSCMessage("/client/ack", 1), from: Desk.other).errorCode == nil)
    #expect(desk.send("/client/ack", from: Desk.other) == [OSCMessage("/client/ack", 1)])
  }

  @Test("Feedback moves to another port, but a subscription with a port of its own stays")
  func port() throws {
    var desk = try client()
    // The port that a subscription names is the client's from then on.
    desk.send("/subscribe", "/silent", 30, 7_002)
    desk.send("/client/port", 7_003)
    desk.wait(1)
    for port in [7_002, 7_003] as [UInt16] { desk.wait(0, as: Desk.local(port)) }
    desk.send("/session/show/mute", 1, from: Desk.other)
    desk.send("/silent", 1, from: Desk.other)
    #expect(
      desk.wait(0.1).filter { $0.address != "/session/show/causes" } == [OSCMessage("/session/show/mute", 1)])
    #expect(desk.wait(0, as: Desk.local(7_003)) == [OSCMessage("/silent", 1)])
    #expect(desk.wait(0, as: Desk.local(7_002)).isEmpty)
    #expect(desk.send("/ping", 3).isEmpty)
    #expect(desk.wait(0, as: Desk.local(7_003)).contains(OSCMessage("/pong", 3)))
    #expect(desk.send("/client/port", 0).isEmpty)
    #expect(desk.wait(0, as: Desk.local(7_003)).errorCode == .outOfRange)
  }

  @Test("The rate is that of all subscriptions that name none, present and later")
  func rate() throws {
    var desk = try client()
    desk.send("/subscribe", "/output", 50)
    desk.send("/client/rate", 5)
    desk.send("/subscribe", "/input")
    desk.wait(1)
    func count(_ address: String) -> Int {
      var heard: [OSCMessage] = []
      for step in 1...100 {
        desk.send(OSCMessage(address, .float(Float(-step) / 10)), from: Desk.other)
        heard += desk.wait(0.01).filter { $0.address == address }
      }
      return heard.count
    }
    #expect((4...7).contains(count("/session/show/gain")))
    #expect((38...52).contains(count("/output/usb/gain")))
    #expect((4...7).contains(count("/input/usb/gain")))
  }

  @Test(
    "Switches and lamps are sent as the client wants them, in snapshots, feedback and answers",
    arguments: [
      ("i", 1, 0), ("f", 1.0, 0.0), ("tf", .boolean(true), .boolean(false)),
    ] as [(String, OSCArgument, OSCArgument)])
  func booleans(_ format: String, _ on: OSCArgument, _ off: OSCArgument) throws {
    var desk = try client()
    desk.send("/client/boolean", .string(format))
    desk.send("/subscribe", "/meter/output/usb/signal")
    desk.send("/session/show/mute", 1, from: Desk.other)
    #expect(desk.wait(0.1)["/session/show/mute"] == [on])
    let snapshot = desk.snapshot("/session/show").messages
    #expect(snapshot["/session/show/mute"] == [on])
    #expect(snapshot["/session/show/category/multiRoute"] == [on])
    #expect(snapshot["/session/show/category/playback"] == [off])
    // A number that is no switch stays one.
    #expect(snapshot["/session/show/stream/main/channels"]?.first?.typeTag != "T")
    #expect(desk.get("/session/show/protected") == [off])
    #expect(desk.send("/request", 1, "/get", "/session/show/mute").last?.arguments.last == on)
    // Others get them as before.
    #expect(desk.send("/session/show/mute", from: Desk.other) == [OSCMessage("/session/show/mute", 1)])
  }

  @Test(
    "Each accepted set and command is acknowledged behind its events; questions, errors and requests are not")
  func acknowledgements() throws {
    var desk = try client()
    desk.send("/subscribe", "/event/*")
    desk.wait(1)
    #expect(desk.send("/client/ack", 1).map(\.address) == ["/ok"])
    #expect(desk.send("/session/show/gain", -3) == [OSCMessage("/ok", "/session/show/gain")])
    let heard = desk.send("/session/show/active", 1).map(\.address)
    #expect(heard.last == "/ok" && heard.contains("/event/active"))
    #expect(desk.send("/session/show/gain/inc", -1).last == OSCMessage("/ok", "/session/show/gain/inc"))
    #expect(desk.send("/ramp", 5).map(\.address) == ["/ramp", "/ok"])
    #expect(desk.send("/session/*/mute", 1).last == OSCMessage("/ok", "/session/*/mute"))
    #expect(desk.send("/subscribe", "/ramp").contains(OSCMessage("/ok", "/subscribe")))
    #expect(desk.send("/session/show/gain", 40).filter { $0.address == "/ok" }.isEmpty)
    for question in [
      OSCMessage("/ping"), OSCMessage("/session/list"), OSCMessage("/session/show/gain"),
      OSCMessage("/get", "/ramp"), OSCMessage("/request", 1, "/session/show/gain", -2),
      OSCMessage("/client/ack"), OSCMessage("/session/*/gain"),
    ] {
      #expect(!desk.send(question).contains { $0.address == "/ok" }, "\(question)")
    }
    let bundle = desk.bundle(OSCMessage("/session/show/gain", -5), OSCMessage("/output/usb/mute", 1))
    #expect(
      bundle.filter { $0.address == "/ok" }.flatMap(\.arguments) == [
        "/session/show/gain", "/output/usb/mute",
      ])
    // Work with files is acknowledged when it is done.
    #expect(!desk.send("/preset/store", "act").contains { $0.address == "/ok" })
    let errand = try #require(desk.errands.last)
    #expect(errand.answer(nil) == OSCMessage("/ok", "/preset/store"))
    #expect(errand.answer(SessionError(.io, "full"))?.address == "/error")
  }
}
