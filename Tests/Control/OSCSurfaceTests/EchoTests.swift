import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// docs/develop/law/osc.md#10-subscriptions, rule 10.11
@Suite("What a client hears of the values that it sets itself")
struct EchoTests {
  /// A desk where two clients subscribe to everything.
  private func twoSurfaces(_ echo: String? = nil) throws -> Desk {
    var desk = try FeedbackTests.followed()
    desk.send("/subscribe")
    desk.wait(1)
    if let echo { desk.send("/client/echo", .string(echo)) }
    desk.wait(0.1)
    return desk
  }

  private func values(_ messages: [OSCMessage], _ address: String) -> [[OSCArgument]] {
    messages.filter { $0.address == address }.map(\.arguments)
  }

  @Test(
    "A surface that moves a fader hears its value once, 0.2 s after the last set; another surface follows")
  func settled() throws {
    var desk = try twoSurfaces()
    var (own, others): ([OSCMessage], [OSCMessage]) = ([], [])
    for step in 1...100 {
      own += desk.send("/session/show/fader", .float(Float(step) / 200))
      own += desk.wait(0.01)
      others += desk.wait(0, as: Desk.other)
    }
    #expect(own.isEmpty)
    // 30 Hz for a second.
    #expect((28...34).contains(values(others, "/session/show/fader").count))
    #expect(desk.wait(0.18).isEmpty)
    let confirmation = desk.wait(1)
    #expect(values(confirmation, "/session/show/fader") == [[0.5]])
    #expect(values(confirmation, "/session/show/gain").count == 1)
    #expect(values(confirmation, "/session/show/gain/text") == [["-10.0 dB"]])
    #expect(confirmation.count == 3)
    #expect(values(desk.wait(1, as: Desk.other), "/session/show/fader").last == [0.5])
    #expect(desk.isIdle)
  }

  @Test("With the finger on it a fader that rests is not told; after the release its value comes once")
  func touched() throws {
    var desk = try twoSurfaces()
    desk.send("/session/show/fader/touch", 1)
    desk.send("/session/show/fader", 0.25)
    #expect(desk.wait(1).allSatisfy { $0.address == "/system/touched" })
    desk.send("/session/show/fader/touch", 0)
    #expect(values(desk.wait(1), "/session/show/fader") == [[0.25]])
    // Set and released at once, by either of the level's addresses.
    desk.send("/session/show/fader/touch", 1)
    desk.wait(1)
    desk.bundle(OSCMessage("/session/show/fader", 0.5), OSCMessage("/session/show/gain/touch", 0))
    let heard = desk.wait(1)
    #expect(values(heard, "/session/show/fader") == [[0.5]])
    #expect(values(heard, "/session/show/gain").count == 1)
    #expect(values(heard, "/session/show/gain/text").count == 1)
  }

  @Test(
    "Two surfaces that move one fader in turn do not fight: neither hears it before it rests, and both end right"
  )
  func noFight() throws {
    var desk = try twoSurfaces()
    desk.send("/session/show/fader", 0.1)
    desk.send("/session/show/fader", 0.1, from: Desk.other)
    desk.wait(0, as: Desk.other)
    var (first, second): ([OSCMessage], [OSCMessage]) = ([], [])
    for step in 1...50 {
      first += desk.send("/session/show/fader", .float(Float(step) / 200))
      second += desk.send("/session/show/fader", .float(Float(step) / 100), from: Desk.other)
      first += desk.wait(0.02)
      second += desk.wait(0, as: Desk.other)
    }
    #expect(first.isEmpty && second.isEmpty)
    #expect(values(desk.wait(1), "/session/show/fader") == [[0.5]])
    #expect(values(desk.wait(1, as: Desk.other), "/session/show/fader") == [[0.5]])
  }

  @Test("A change by somebody else that waits to be sent is overtaken by the client's own set")
  func overtaken() throws {
    var desk = try twoSurfaces()
    desk.send("/session/show/gain", -3, from: Desk.other)
    desk.wait(0.001)
    desk.send("/session/show/gain", -4, from: Desk.other)
    // The value waits for its turn, at most 30 times a second.
    #expect(desk.send("/session/show/gain", -5).isEmpty)
    #expect(desk.wait(0.15).isEmpty)
    #expect(values(desk.wait(0.2), "/session/show/gain") == [[-5.0]])
  }

  @Test("Values that come to rest shortly after each other are told at the client's rate")
  func rate() throws {
    var desk = try twoSurfaces()
    desk.send("/session/show/gain", -3)
    desk.wait(0.01)
    desk.send("/session/music/gain", -4)
    #expect(desk.wait(0.195).contains { $0.address == "/session/show/gain" })
    // The second one rests now. Its turn is a thirtieth of a second after the first, also if a snapshot comes before.
    #expect(desk.wait(0.01).isEmpty)
    let heard = desk.send("/subscribe", "/ramp") + desk.wait(0.005)
    #expect(heard.contains { $0.address == "/ramp" })
    #expect(!heard.contains { $0.address == "/session/music/gain" })
    #expect(values(desk.wait(0.05), "/session/music/gain") == [[-4.0]])
  }

  @Test("Only the value itself waits: what a set changes besides is told at once")
  func sideEffects() throws {
    var desk = try twoSurfaces()
    let heard = desk.send("/system/panic", 1) + desk.wait(0.1)
    #expect(!heard.contains { $0.address == "/system/panic" })
    #expect(heard.contains { $0.address == "/session/show/why" })
    #expect(values(desk.wait(0.3), "/system/panic") == [[1]])
  }

  @Test("All leaves of a choice are told when it rests")
  func choice() throws {
    var desk = try twoSurfaces()
    #expect((desk.send("/fade/curve", "linear") + desk.wait(0.15)).isEmpty)
    let heard = desk.wait(0.3)
    #expect(
      Set(heard.map(\.address)) == [
        "/fade/curve", "/fade/curve/index", "/fade/curve/fader", "/fade/curve/linear", "/fade/curve/sCurve",
      ])
    #expect(heard["/fade/curve/linear"] == [1] && heard["/fade/curve/fader"] == [0])
  }

  @Test(
    "A step, a toggle, a reset, a fade and a button of a choice are told at once",
    arguments: [
      OSCMessage("/session/show/gain/inc", -2), OSCMessage("/session/show/mute/toggle"),
      OSCMessage("/session/show/gain/fade", -20, 1), OSCMessage("/fade/curve/linear"),
      OSCMessage("/fade/curve/next"),
    ])
  func unknownEnds(_ message: OSCMessage) throws {
    var desk = try twoSurfaces()
    let heard = desk.send(message) + desk.wait(0.1)
    let value = message.address.split(separator: "/").prefix(message.address.hasPrefix("/fade") ? 2 : 3)
    #expect(heard.contains { $0.address == "/" + value.joined(separator: "/") })
  }

  @Test("A strip and its target are one control")
  func strips() throws {
    var desk = try twoSurfaces()
    desk.send("/strip/1/assign", "/session/show")
    desk.wait(1)
    desk.wait(1, as: Desk.other)
    #expect((desk.send("/strip/1/fader", 0.5) + desk.wait(0.15)).isEmpty)
    let heard = desk.wait(0.3)
    #expect(values(heard, "/strip/1/fader") == [[0.5]])
    #expect(values(heard, "/session/show/fader") == [[0.5]])
    #expect(values(desk.wait(0, as: Desk.other), "/strip/1/fader") == [[0.5]])
  }

  @Test("A surface that returns every value it gets comes to rest, whatever it has moved")
  func mirror() throws {
    var desk = try twoSurfaces()
    for (address, value) in [
      ("/session/show/fader", 0.7373 as OSCArgument), ("/session/show/mute", 1), ("/output/usb/gain", -3.3),
      ("/session/show/stream/band/to/usb/gain", -7.77),
    ] {
      desk.send(address, value)
      var rounds = 0
      while case let got = desk.wait(0.5), !got.isEmpty, rounds < 20 {
        rounds += 1
        for message in got where !message.address.hasPrefix("/event") && !message.address.hasSuffix("/text") {
          desk.send(.message(message))
        }
      }
      #expect(rounds <= 4, "\(address)")
    }
  }

  @Test("always tells every change at once")
  func always() throws {
    var desk = try twoSurfaces("always")
    #expect(values(desk.send("/session/show/gain", -5) + desk.wait(0.05), "/session/show/gain") == [[-5.0]])
    #expect(desk.wait(0.5).isEmpty)
  }

  @Test("never tells nothing, unless another surface has moved the control meanwhile")
  func never() throws {
    var desk = try twoSurfaces("never")
    desk.send("/session/show/gain", -5)
    #expect(desk.wait(1).isEmpty)
    desk.send("/session/show/gain", -6)
    desk.wait(0.1)
    desk.send("/session/show/gain", -7, from: Desk.other)
    #expect(values(desk.wait(1), "/session/show/gain") == [[-7.0]])
    // The client hears of others as before.
    desk.send("/session/show/gain", -8, from: Desk.other)
    #expect(values(desk.wait(0.1), "/session/show/gain") == [[-8.0]])
  }

  @Test("A value that is clamped or refused is answered at once, whatever the echo")
  func answers() throws {
    var desk = try twoSurfaces("never")
    #expect(desk.send("/ramp", 5).contains(OSCMessage("/ramp", 1.0)))
    #expect(desk.send("/output/usb/gain", 20)["/output/usb/gain"] == [0.0])
  }

  @Test("Thousands of values that a pattern sets are all told when they rest")
  func pattern() throws {
    var desk = try twoSurfaces()
    for number in 1...100 { desk.send("/session/create", .string("s\(number)"), "playback") }
    desk.wait(2)
    #expect(!(desk.send("/session/*/gain", -7) + desk.wait(0.15)).contains { $0.address.hasSuffix("/gain") })
    let heard = desk.wait(1)
    #expect(heard.filter { $0.address.hasSuffix("/gain") }.count == 102)
    #expect(desk.isIdle)
  }
}
