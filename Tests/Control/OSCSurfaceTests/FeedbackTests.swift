import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Feedback")
struct FeedbackTests {
  /// A desk where the client `other` subscribes to a pattern, or to everything, and has got its snapshot.
  static func followed(_ pattern: String? = nil, rate: Double = 30) throws -> Desk {
    var desk = try Desk.stage()
    if let pattern {
      desk.send("/subscribe", .string(pattern), .float(Float(rate)), from: Desk.other)
    } else {
      desk.send("/subscribe", from: Desk.other)
    }
    desk.wait(1, as: Desk.other)
    return desk
  }

  @Test("A new subscriber gets a snapshot, its end, and then the changes")
  func subscription() throws {
    var desk = try Desk.stage()
    let heard = desk.send("/subscribe", "/session/show/gain") + desk.wait(0.1)
    #expect(heard.map(\.address).contains("/session/show/gain"))
    #expect(heard.last?.address == "/snapshot/end")
    #expect(heard.last?.arguments.prefix(2) == ["/session/show/gain", .int32(Int32(heard.count - 1))])
    desk.send("/session/show/gain", -6, from: Desk.other)
    #expect(
      desk.wait(0.1) == [
        OSCMessage("/session/show/gain", -6.0), OSCMessage("/session/show/gain/text", "-6.0 dB"),
      ])
    desk.send("/session/music/gain", -6, from: Desk.other)
    #expect(desk.wait(0.1).isEmpty)
    desk.send("/unsubscribe", "/session/show")
    desk.send("/session/show/gain", -7, from: Desk.other)
    #expect(desk.wait(0.1).isEmpty)
  }

  @Test("A change is fed back at every address that shows it")
  func allScales() throws {
    var desk = try Self.followed()
    desk.send("/session/show/gain", -10)
    #expect(
      Set(desk.wait(0.1, as: Desk.other).map(\.address))
        == ["/session/show/gain", "/session/show/fader", "/session/show/gain/text"])
    desk.send("/fade/curve", "linear")
    #expect(
      Set(desk.wait(0.1, as: Desk.other).map(\.address))
        == ["/fade/curve", "/fade/curve/index", "/fade/curve/fader", "/fade/curve/linear"])
    desk.send("/session/show/options/mask", 1)
    let heard = desk.wait(0.1, as: Desk.other)
    #expect(heard["/session/show/option/mixWithOthers"] == [1])
    #expect(heard["/session/show/options"] == ["mixWithOthers"])
    #expect(heard["/event/category"]?.suffix(4) == ["show", "multiRoute", "default", "mixWithOthers"])
  }

  @Test("A set to the present value is no change and no event")
  func unchanged() throws {
    var desk = try Self.followed()
    for message in [
      OSCMessage("/session/show/gain", 0), OSCMessage("/session/show/mode", "default"),
      OSCMessage("/session/show/category", "multiRoute"), OSCMessage("/session/show/active", 0),
      OSCMessage("/session/show/stream/main/route", "usb"), OSCMessage("/output/usb/plugged", 1),
    ] {
      #expect(desk.send(message).isEmpty)
    }
    #expect(desk.wait(0.2, as: Desk.other).isEmpty)
  }

  @Test("A subscriber's values of the router stay true after every event")
  func mirror() throws {
    var desk = try Desk.stage()
    var picture: [String: [OSCArgument]] = [:]
    func note(_ messages: [OSCMessage]) {
      for message in messages
      where !message.address.hasPrefix("/event/") && message.address != "/snapshot/end" {
        picture[message.address] = message.arguments
      }
    }
    note(desk.send("/subscribe", from: Desk.other))
    note(desk.wait(1, as: Desk.other))
    let script = [
      OSCMessage("/session/show/stream/main/route", "usb:3-4,headphones=-6"),
      OSCMessage("/session/show/active", 1),
      OSCMessage("/session/show/stream/create", "click", 1),
      OSCMessage("/session/show/stream/click/to/headphones/gain", -3),
      OSCMessage("/session/show/stream/main/route", "none"),
      OSCMessage("/session/create", "late", "multiRoute"),
      OSCMessage("/session/late/capture/session/show/on", 1), OSCMessage("/output/usb/mute", 1),
      OSCMessage("/session/show/stream/click/never", "headphones"), OSCMessage("/session/*/gain", -5),
      OSCMessage("/session/show/gain/fade", -20, 1), OSCMessage("/system/panic", 1),
      OSCMessage("/output/headphones/plugged", 0), OSCMessage("/output/radio/auto", 0),
      OSCMessage("/session/remove", "late"), OSCMessage("/session/music/set", "ambient", "default", "none"),
      OSCMessage("/session/create", "voice", "playback", "default", "duckOthers"),
      OSCMessage("/session/voice/active", 1), OSCMessage("/session/music/active", 1),
      OSCMessage("/session/voice/duck/level/fade", -30, 0.2), OSCMessage("/duck/scope", "shared"),
      OSCMessage("/interruption/phone/on", 1), OSCMessage("/interruption/door/ringing", 1),
      OSCMessage("/session/create", "talk", "playAndRecord", "voiceChat"),
      OSCMessage("/interruption/clear"), OSCMessage("/session/talk/active", 1),
      OSCMessage("/session/talk/io/input", "running"), OSCMessage("/input/usb/hardware", 1),
      OSCMessage("/session/voice/duck/level", "inherit"), OSCMessage("/silent", 1),
      OSCMessage("/session/voice/active", 0), OSCMessage("/system/panic", 0),
    ]
    for message in script {
      #expect(desk.send(message).errors.isEmpty, "\(message)")
      note(desk.wait(0.3, as: Desk.other))
    }
    try desk.plug(.output, "late", .hdmi, channels: 2)
    try desk.unplug(.input, "usb")
    note(desk.wait(2, as: Desk.other))
    for message in desk.snapshot().messages {
      #expect(picture[message.address] == message.arguments, "\(message.address)")
    }
    // A destination that was removed reads as off.
    #expect(picture["/session/show/stream/main/to/usb/on"] == [0])
    #expect(picture["/session/show/stream/click/to/headphones/on"] == [0])
  }

  @Test("A fade is followed at the subscription's rate, and its last message is its end")
  func fade() throws {
    var desk = try Self.followed("/session/show/gain", rate: 10)
    desk.send("/session/show/gain/fade", -10, 1)
    let values = desk.wait(1.5, as: Desk.other).filter { $0.address == "/session/show/gain" }
      .compactMap { message -> Float? in
        if case .float(let value) = message.arguments[0] { value } else { nil }
      }
    #expect((9...12).contains(values.count))
    #expect(values == values.sorted(by: >))
    #expect(values.last == -10)
    #expect(desk.isIdle)
  }

  @Test("The latest value wins: fast changes are sent at most at the rate of the subscription")
  func rate() throws {
    var desk = try Self.followed("/session/show/fader", rate: 10)
    var heard: [OSCMessage] = []
    for step in 1...200 {
      desk.send("/session/show/fader", .float(Float(step) / 400))
      heard += desk.wait(0.005, as: Desk.other)
    }
    #expect((9...12).contains(heard.count))
    #expect(desk.wait(0.2, as: Desk.other).last == OSCMessage("/session/show/fader", 0.5))
  }

  @Test(
    "Without a rate there are 30 messages a second; the faster of two overlapping subscriptions counts, once")
  func overlapping() throws {
    var desk = try Self.followed("/session", rate: 1)
    desk.send("/subscribe", "/session/show/fader", from: Desk.other)
    desk.wait(1, as: Desk.other)
    var heard: [OSCMessage] = []
    for step in 1...200 {
      desk.send("/session/show/fader", .float(Float(step) / 400))
      heard += desk.wait(0.005, as: Desk.other).filter { $0.address == "/session/show/fader" }
    }
    #expect((28...34).contains(heard.count))
  }

  @Test(
    "Feedback, answers, true values and errors go to the port that the newest subscription or hello named")
  func ports() throws {
    var desk = try Desk.stage()
    let (peer, feedback) = (Desk.local(5_000), Desk.other)
    #expect(desk.send("/ping", 1, from: peer) == [OSCMessage("/pong", 1)])
    #expect(
      desk.send("/subscribe", "/session/show/gain", 30, .int32(Int32(feedback.port)), from: peer).isEmpty)
    #expect(desk.wait(0.1, as: feedback).last?.address == "/snapshot/end")
    desk.send("/session/show/gain", -3)
    #expect(desk.wait(0.1, as: feedback).first == OSCMessage("/session/show/gain", -3.0))
    #expect(desk.send("/ping", 2, from: peer).isEmpty)
    #expect(desk.wait(0.1, as: feedback) == [OSCMessage("/pong", 2)])
    #expect(desk.send("/output/usb/gain", 20, from: peer).isEmpty)
    let refusal = desk.wait(0.1, as: feedback)
    #expect(refusal.errorCode == .outOfRange)
    #expect(refusal["/output/usb/gain"] == [0.0])
    // A subscription without a port keeps the one that was named.
    #expect(desk.send("/subscribe", "/ramp", from: peer).isEmpty)
    #expect(desk.wait(0.1, as: feedback).contains(OSCMessage("/ramp", 0.02)))
    #expect(desk.send("/subscribe", "/ramp", 30, 0, from: peer).isEmpty)
    #expect(desk.wait(0.1, as: feedback).errorCode == .outOfRange)
    #expect(desk.send("/hello", "tablet", "", 7_000, from: peer).isEmpty)
    #expect(desk.wait(0.1, as: Desk.local(7_000)).map(\.address) == ["/alive", "/welcome"])
    #expect(desk.send("/output/usb/gain", from: peer).isEmpty)
    #expect(desk.wait(0.1, as: Desk.local(7_000)) == [OSCMessage("/output/usb/gain", 0.0)])
  }

  @Test("A response goes to the port of its request, although a subscription named another")
  func portOfResponse() throws {
    var desk = try Desk.stage()
    let peer = Desk.local(5_000)
    desk.send("/subscribe", "/ramp", 30, 9_001, from: peer)
    let first = desk.send("/request", 1, "/output/usb/gain", -6, from: peer)
    #expect(first == [OSCMessage("/response", 1, 0, "/output/usb/gain", -6.0)])
    #expect(desk.send("/request", 1, "/output/usb/gain", -6, from: peer) == first)
    #expect(desk.send("/request", 2, "/output/*/mute", from: peer).map(\.address).last == "/response")
    #expect(desk.send("/request", 3, "/output/usb/gain", 20, from: peer).map(\.address) == ["/response"])
    desk.send("/request", 4, "/sync", 1, from: peer)
    #expect(desk.syncs.map(\.peer) == [peer])
  }

  @Test("A pattern that set switches is fed back as an address, so that a mute group's button has a lamp")
  func groupLamp() throws {
    var desk = try Desk.stage()
    let group = "/session/{show,music}/mute"
    func lamp(_ messages: [OSCMessage]) -> [OSCArgument] {
      messages.filter { $0.address == group }.flatMap(\.arguments)
    }
    // Without a subscription there is no feedback.
    #expect(lamp(desk.send(group, 1)).isEmpty)
    desk.send("/subscribe", "/session")
    desk.wait(1)
    #expect(lamp(desk.send(group, 1)) == [1.0])
    desk.wait(0.1)
    desk.send("/session/show/mute", 0, from: Desk.other)
    #expect(lamp(desk.wait(0.1)) == [0.5])
    desk.send("/session/music/mute", 0, from: Desk.other)
    #expect(lamp(desk.wait(0.1)) == [0.0])
    // Nothing is sent while the value stays, and a snapshot sends it again.
    desk.send("/session/show/gain", -3, from: Desk.other)
    #expect(lamp(desk.wait(0.1)).isEmpty)
    #expect(lamp(desk.snapshot("/session/show/gain").messages + desk.wait(0.1)) == [0.0])
    // A session that goes may be the only one that was off.
    desk.send("/session/show/mute", 1, from: Desk.other)
    #expect(lamp(desk.wait(0.1)) == [0.5])
    desk.send("/session/remove", "music", from: Desk.other)
    #expect(lamp(desk.wait(0.1)) == [1.0])
    desk.send("/unsubscribe")
    desk.send("/session/show/mute", 0, from: Desk.other)
    #expect(lamp(desk.wait(0.1)).isEmpty)
    #expect(desk.isIdle)
  }

  @Test("Only a pattern of switches has a lamp, and a refused one has none")
  func noGroupLamp() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/session")
    desk.wait(1)
    desk.send("/session/*/gain", -3)
    #expect(!desk.wait(0.1).contains { $0.address == "/session/*/gain" })
    #expect(desk.send("/session/*/mute", "loud").errorCode == .badValue)
    desk.send("/session/show/mute", 1, from: Desk.other)
    #expect(!desk.wait(0.1).contains { $0.address == "/session/*/mute" })
  }

  @Test("Events reach a subscriber once, even if two of its patterns match")
  func eventsOnce() throws {
    var desk = try Self.followed()
    desk.send("/subscribe", "/event/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send("/session/show/active", 1)
    #expect(desk.wait(0.1, as: Desk.other).filter { $0.address == "/event/active" }.count == 1)
  }

  @Test(
    "Clients of one host beyond the capacity take each other's places, the longest silent first, and leave eight to other hosts"
  )
  func capacity() throws {
    var desk = try Desk.stage()
    for port in 1...200 {
      #expect(desk.send("/subscribe", "/ramp", from: Desk.local(UInt16(port))).errorCode == nil)
      desk.time += 0.01
    }
    #expect(desk.surface.clients.peers.count == 56)
    #expect(desk.surface.clients.peers.allSatisfy { $0.endpoint > 144 })
    // A snapshot and everything else need no place.
    #expect(!desk.snapshot("/ramp").messages.isEmpty)
    #expect(desk.send("/session/show/gain", -1).isEmpty)
    desk.time += 31
    #expect(desk.send("/subscribe", "/ramp").errorCode == nil)
    for _ in 1...100 { desk.send("/subscribe", "/ramp") }
    for number in 1...64 { desk.send("/subscribe", .string("/s\(number)")) }
    #expect(desk.send("/subscribe", "/more").errorCode == .full)
  }

  @Test("A surface without subscribers has nothing to do")
  func idle() throws {
    var desk = try Desk.stage()
    #expect(desk.isIdle)
    desk.send("/session/show/gain", -3)
    #expect(desk.isIdle)
    desk.send("/subscribe", "/session")
    #expect(!desk.isIdle)
    desk.wait(2)
    #expect(desk.isIdle)
    desk.send("/subscribe", "/meter/output/usb")
    desk.wait(1)
    #expect(!desk.isIdle)
  }
}
