import ControlInterface
import OSC
import Parameters
import SessionModel
import Testing

@testable import OSCSurface

/// docs/health.md
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
    #expect(desk.surface.troubles == ClientTroubles())
    desk.surface.endFeedback(to: wall, at: desk.time)
    #expect(desk.surface.troubles.refusing == ["wall (10.0.0.7:9000)"])
    desk.surface.resumeFeedback(to: wall)
    #expect(desk.surface.troubles.refusing.isEmpty)
    desk.surface.endFeedback(to: wall, at: desk.time)
    desk.send("/ping", from: wall)
    #expect(desk.surface.troubles.refusing.isEmpty)
  }

  @Test("A client that asks for what it missed has lost packets")
  func losses() throws {
    var desk = try Desk.stage()
    desk.send("/hello", "tablet", from: Desk.other)
    desk.send("/subscribe", "/ramp", from: Desk.other)
    #expect(desk.surface.troubles.losses.isEmpty)
    desk.send("/resync", 0, from: Desk.other)
    desk.send("/resync", 0, from: Desk.other)
    #expect(desk.surface.troubles.losses == ["tablet (127.0.0.1:9001)": 2])
  }
}
