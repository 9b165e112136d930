import OSC
import OSCSurface
import SessionModel
import Testing

@Suite("A packet takes effect as a whole or not at all")
struct BundleTests {
  @Test("A bundle takes effect as a whole, in order, and its gets are answered afterwards")
  func accepted() throws {
    var desk = try Desk.stage()
    let answers = desk.bundle(
      OSCMessage("/session/create", "late", "multiRoute"), OSCMessage("/session/late/gain"),
      OSCMessage("/session/late/gain", -3), OSCMessage("/session/late/mute", 1))
    #expect(answers == [OSCMessage("/session/late/gain", -3.0)])
    #expect(desk.get("/session/late/mute") == [1])
  }

  @Test(
    "One error undoes the whole packet; the sender gets an error for each refused message, and the true values of all its leaves"
  )
  func refused() throws {
    var desk = try Desk.stage()
    let before = desk.state
    let count = desk.events.count
    let answers = desk.bundle(
      OSCMessage("/session/show/gain", -3), OSCMessage("/session/show/gain", 20),
      OSCMessage("/session/music/mute", 1), OSCMessage("/nonsense", 1), OSCMessage("/session/create", "late"),
      OSCMessage("/session/show/active", 1), OSCMessage("/output/usb/type", "x"))
    #expect(desk.state == before)
    #expect(
      answers.errors.map { $0.arguments[0] } == ["/session/show/gain", "/nonsense", "/output/usb/type"])
    #expect(answers.errors.map { $0.arguments[1] } == [4, 1, 7])
    #expect(answers.filter { $0.address == "/session/show/gain" } == [OSCMessage("/session/show/gain", 0.0)])
    #expect(answers["/session/music/mute"] == [0])
    #expect(answers["/session/show/active"] == [0])
    #expect(answers["/output/usb/type"] == ["usbAudio"])
    // Only the errors were events: nothing became active, no session was made.
    #expect(desk.events.dropFirst(count).allSatisfy { $0.address == "/event/error" })
  }

  @Test("A session's refusal undoes a bundle, too")
  func sessionRefusal() throws {
    var desk = try Desk.stage()
    let answers = desk.bundle(
      OSCMessage("/session/show/gain", -3), OSCMessage("/session/music/stream/main/route", "usb"))
    #expect(answers.errorCode == .incompatibleCategory)
    #expect(desk.get("/session/show/gain") == [0.0])
  }

  @Test("Bundles within bundles are one packet")
  func nested() throws {
    var desk = try Desk.stage()
    let inner = OSCBundle([.message(OSCMessage("/session/show/gain", 20))])
    let outer = OSCBundle([.message(OSCMessage("/session/show/mute", 1)), .bundle(inner)])
    #expect(desk.send(.bundle(outer)).errorCode == .outOfRange)
    #expect(desk.get("/session/show/mute") == [0])
  }

  @Test("An empty bundle is legal and does nothing")
  func empty() throws {
    var desk = try Desk.stage()
    #expect(desk.bundle().isEmpty)
  }

  @Test("A hello that is undone takes no client place and raises no permission")
  func undoneHello() throws {
    var desk = try Desk.stage()
    desk.bundle(OSCMessage("/hello", "tablet"), OSCMessage("/subscribe"), OSCMessage("/nonsense"))
    desk.send("/session/show/gain", -3)
    #expect(desk.wait(0.2).isEmpty)
  }
}

@Suite("Patterns")
struct PatternTests {
  @Test("A pattern sets all leaves it matches, or none")
  func sets() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/*/gain", -6).isEmpty)
    #expect(desk.get("/session/show/gain") == [-6.0])
    #expect(desk.get("/session/music/gain") == [-6.0])
    desk.send("/session/music/max", -10)
    let answers = desk.send("/session/*/gain", -8)
    #expect(answers.errorCode == .outOfRange)
    #expect(answers.errors[0].arguments[0] == "/session/*/gain")
    #expect(desk.get("/session/show/gain") == [-6.0])
    desk.send("/{output,input}/usb/mute", 1)
    #expect(desk.get("/output/usb/mute") == [1])
    #expect(desk.get("/input/usb/mute") == [1])
    desk.send("/input/usb/[1-2]/gain", -1)
    #expect(desk.get("/input/usb/2/gain") == [-1.0])
  }

  @Test("A pattern without an argument is answered with all values that it matches")
  func gets() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/session/*/gain")
        == [OSCMessage("/session/show/gain", 0.0), OSCMessage("/session/music/gain", 0.0)])
    #expect(desk.send("/get", "/session/*/gain").count == 2)
    #expect(desk.send("/meter/output/*").map(\.address).contains("/meter/output/usb"))
  }

  @Test(
    "Relative moves, resets and toggles take patterns",
    arguments: [("inc", OSCArgument.float(-3)), ("reset", .null)])
  func relative(_ leaf: String, _ argument: OSCArgument) throws {
    var desk = try Desk.stage()
    #expect(desk.send(OSCMessage("/session/*/gain/\(leaf)", argument)).isEmpty)
    desk.send("/session/*/mute/toggle")
    #expect(desk.get("/session/music/mute") == [1])
  }

  @Test(
    "Triggers and commands take no wildcard",
    arguments: [
      OSCMessage("/session/*/category/playback"), OSCMessage("/session/show/category/{playback,ambient}", 1),
      OSCMessage("/fade/curve/nex?"), OSCMessage("/session/*/gain/fade/stop"),
      OSCMessage("/session/{create,remove}", "late"), OSCMessage("/session/*/stream/create", "late"),
      OSCMessage("/session/*/set", "playback", "default", "none"), OSCMessage("/pin?"),
      OSCMessage("/session/remove", "*"), OSCMessage("/session/show/stream/remove", "mai?"),
    ])
  func noWildcard(_ message: OSCMessage) throws {
    var desk = try Desk.stage()
    let before = desk.state
    #expect(desk.send(message).errorCode == .noWildcard)
    #expect(desk.state == before)
  }

  @Test(
    "A pattern that matches no settable leaf, or is malformed, is an error",
    arguments: [
      ("/session/x*/gain", ErrorCode.unknownAddress), ("/nothing/*", .unknownAddress),
      ("/output/*/type", .readOnly), ("//gain", .badValue), ("/session/[z-a]/gain", .badValue),
      ("/session/{a,b/gain", .badValue), ("/session/show/gain/", .badValue), ("/", .badValue),
      ("/session/sh ow/gain", .badValue), ("/session//gain", .badValue), ("/sessionx", .unknownAddress),
      ("/session", .unknownAddress), ("/session/absent/gain", .unknownAddress),
      ("/session/show/Gain", .unknownAddress),
      ("/input/usb/3/gain", .unknownAddress), ("/input/usb/01/gain", .unknownAddress),
    ])
  func refused(_ pattern: String, _ code: ErrorCode) throws {
    var desk = try Desk.stage()
    #expect(desk.send(OSCMessage(pattern, 1)).errorCode == code)
    #expect(desk.send("/get", .string(pattern)).errorCode == code || code == .readOnly)
  }

  @Test(
    "An unknown session is answered with the sessions that exist, or the nearest name, also of a command",
    arguments: [
      ("/session/absent/gain", "there is no session absent; there are show, music"),
      ("/session/shwo/gain", "there is no session shwo; did you mean 'show'?"),
      ("/session/creat", "there is no session creat; did you mean 'create'?"),
      ("/sesion/show/gain", "there is no 'sesion' in /; did you mean 'session'?"),
    ])
  func unknown(_ address: String, _ sentence: String) throws {
    var desk = try Desk.stage()
    #expect(desk.send(OSCMessage(address, 1)).errors.map(\.arguments.last) == [.string(sentence)])
  }

  @Test(
    "A packet that would set more than 4,096 leaves is refused, whether by one pattern or by several messages"
  )
  func tooMany() throws {
    var desk = try Desk.stage()
    for number in 1...120 { desk.send("/session/create", .string("s\(number)"), "multiRoute") }
    #expect(desk.send("/session/*/*").errorCode == nil)
    let sets = (0..<40).map { OSCPacket.message(OSCMessage("/session/*/gain", .float(Float(-$0)))) }
    let answers = desk.send(.bundle(OSCBundle(sets)))
    #expect(answers.errors.allSatisfy { $0.arguments[2] == "tooManyMatches" })
    // 122 sessions have room in 33 of the messages.
    #expect(answers.errors.count == 7)
    #expect(desk.get("/session/s1/gain") == [0.0], "nothing of the packet took effect")
    #expect(desk.send(.bundle(OSCBundle(Array(sets.prefix(33))))).isEmpty)
    #expect(desk.get("/session/s1/gain") == [-32.0])
  }

  @Test("More than 32 answers come in bundles, so that a receiver's buffer holds them", arguments: [33, 100])
  func manyAnswers(count: Int) throws {
    var desk = try Desk.stage()
    for number in 1...(count - 2) { desk.send("/session/create", .string("s\(number)"), "playback") }
    let datagrams = desk.datagrams(.message(OSCMessage("/session/*/gain")))
    #expect(datagrams.flatMap(\.packet.messages).count == count)
    #expect(datagrams.count < 10)
  }
}
