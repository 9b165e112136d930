import ControlInterface
import OSC
import Parameters
import SessionModel
import Testing

@testable import OSCSurface

/// docs/operate/health.md
@Suite("Health over OSC")
struct HealthTests {
  @Test("An alarm is an event, a lamp and a sentence, and can be silenced")
  func alarm() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/health", from: Desk.other)
    #expect(desk.get("/health/state") == ["ok"])
    #expect(desk.send("/health/list") == [OSCMessage("/health/list", 0, 0)])
    desk.wait(1, as: Desk.other)
    try desk.happen(.health([.load: "too much", .direct: "past the router"]))
    let heard = desk.wait(0.1, as: Desk.other)
    #expect(heard["/health/state"] == ["too much"])
    #expect(heard["/health/load/on"] == [1] && heard["/health/direct/on"] == [1])
    #expect(
      desk.events.suffix(2).map { Array($0.arguments.dropFirst()) } == [
        ["load", 1, "too much"], ["direct", 1, "past the router"],
      ])
    desk.time += 7
    #expect(
      desk.send("/health/list") == [
        OSCMessage("/health/list", 0, 2, "load", "warning", 7, "too much"),
        OSCMessage("/health/list", 1, 2, "direct", "notice", 7, "past the router"),
      ])
    desk.send("/health/load/silenced", 1)
    #expect(desk.get("/health/state") == ["past the router"])
    #expect(desk.get("/health/load/on") == [0])
    #expect(desk.events.last?.arguments.dropFirst() == ["load", 0, "too much"])
    try desk.happen(.health([.load: nil, .direct: nil]))
    #expect(desk.get("/health/state") == ["ok"])
    #expect(desk.events.last?.arguments.dropFirst() == ["direct", 0, "past the router"])
  }

  @Test("A surface that refuses packets is a trouble until it accepts them or is heard")
  func refusing() throws {
    let wall = Desk.remote(HostAddress("10.0.0.7")!, 9_000)
    let rule = try #require(HostRule("10.0.0.0/8", right: .view))
    let surface = StaticSurface(name: "wall", host: wall.host, port: wall.port)
    var desk = try Desk.stage(admission: Admission(hosts: [rule], surfaces: [surface]))
    #expect(desk.surface.troubles(at: desk.time) == ClientTroubles())
    desk.surface.endFeedback(to: wall, at: desk.time)
    #expect(desk.surface.troubles(at: desk.time).refusing == ["wall (10.0.0.7:9000)"])
    desk.surface.resumeFeedback(to: wall)
    #expect(desk.surface.troubles(at: desk.time).refusing.isEmpty)
    desk.surface.endFeedback(to: wall, at: desk.time)
    desk.send("/ping", from: wall)
    #expect(desk.surface.troubles(at: desk.time).refusing.isEmpty)
  }

  /// A tablet that registers and then greets by a timer.
  private func regularDesk(_ greeting: OSCMessage = OSCMessage("/ping"), every interval: Double = 5) throws
    -> Desk
  {
    var desk = try Desk.stage()
    desk.send("/hello", "tablet", from: Desk.other)
    desk.send("/subscribe", "/ramp", from: Desk.other)
    for step in 0..<5 {
      // The timer of a surface is not exact.
      desk.time += interval + (step.isMultiple(of: 2) ? 0.3 : -0.3)
      desk.send(greeting, from: Desk.other)
    }
    return desk
  }
  private static let tablet = ["tablet (127.0.0.1:9001)"]

  @Test(
    "A surface that greets regularly is silent after three times its interval, until it is heard",
    arguments: [OSCMessage("/ping"), OSCMessage("/hello", "tablet"), OSCMessage("/subscribe", "/ramp")])
  func silent(greeting: OSCMessage) throws {
    var desk = try regularDesk(greeting)
    desk.time += 15
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
    desk.time += 1
    #expect(desk.surface.troubles(at: desk.time).silent == Self.tablet)
    desk.time += 60
    #expect(desk.surface.troubles(at: desk.time).silent == Self.tablet)
    desk.send("/ramp", from: Desk.other)
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
  }

  @Test("Any message of a regular surface is a sign of life")
  func busy() throws {
    var desk = try regularDesk()
    for _ in 0..<10 {
      desk.time += 10
      desk.send("/session/show/gain", -3, from: Desk.other)
      #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
    }
  }

  @Test("A surface that refuses packets in its silence has not said goodbye")
  func refusingSilence() throws {
    var desk = try regularDesk()
    desk.time += 40
    desk.surface.endFeedback(to: Desk.other, at: desk.time)
    #expect(desk.surface.troubles(at: desk.time).silent == Self.tablet)
  }

  @Test("A surface that says goodbye is not silent, nor one that comes back from another port")
  func goodbye() throws {
    var desk = try regularDesk()
    desk.send("/bye", from: Desk.other)
    desk.time += 60
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)

    desk = try regularDesk()
    desk.time += 60
    #expect(desk.surface.troubles(at: desk.time).silent == Self.tablet)
    desk.send("/hello", "tablet", from: Desk.local(9_777))
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
  }

  @Test("A silent surface is expected no more after ten minutes")
  func givenUp() throws {
    var desk = try regularDesk()
    desk.time += 599
    #expect(desk.surface.troubles(at: desk.time).silent == Self.tablet)
    desk.time += 2
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
  }

  @Test("A client that was never regular is never silent")
  func irregular() throws {
    var desk = try Desk.stage()
    desk.send("/hello", "tablet", from: Desk.other)
    for pause in [1.0, 7, 3, 29, 2, 11] {
      desk.time += pause
      desk.send("/ping", from: Desk.other)
    }
    desk.time += 300
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
    // A hand that moves a fader every five seconds is no timer.
    desk.send("/hello", "tablet", from: Desk.other)
    for step in 0..<10 {
      desk.time += 5
      desk.send("/session/show/gain", .float(Float(-step)), from: Desk.other)
    }
    desk.time += 300
    #expect(desk.surface.troubles(at: desk.time).silent.isEmpty)
  }

  @Test("A client that asks for what it missed has lost packets")
  func losses() throws {
    var desk = try Desk.stage()
    desk.send("/hello", "tablet", from: Desk.other)
    desk.send("/subscribe", "/ramp", from: Desk.other)
    #expect(desk.surface.troubles(at: desk.time).losses.isEmpty)
    desk.send("/resync", 0, from: Desk.other)
    desk.send("/resync", 0, from: Desk.other)
    #expect(desk.surface.troubles(at: desk.time).losses == ["tablet (127.0.0.1:9001)": 2])
  }
}
