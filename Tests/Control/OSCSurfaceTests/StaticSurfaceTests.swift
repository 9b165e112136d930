import ControlInterface
import OSC
import Parameters
import Patterns
import SessionModel
import Testing

@testable import OSCSurface

/// docs/develop/law/osc.md#9-clients, rule 9.15
@Suite("Surfaces of the configuration")
struct StaticSurfaceTests {
  private static let wall = Desk.remote(HostAddress("10.0.0.7")!, 9_000)

  private func surface(_ patterns: String...) throws -> StaticSurface {
    var surface = StaticSurface(name: "wall", host: Self.wall.host, port: Self.wall.port)
    surface.subscriptions = try patterns.map { try AddressPattern($0) }
    return surface
  }

  private func desk(_ surface: StaticSurface) throws -> Desk {
    let rule = try #require(HostRule("10.0.0.0/8", right: .view))
    return try Desk.stage(admission: Admission(hosts: [rule], surfaces: [surface]))
  }

  @Test("A surface that sends nothing gets a snapshot, and then all changes")
  func feedback() throws {
    var desk = try desk(surface("/session/show/gain", "/session/show/mute"))
    let heard = desk.wait(1, as: Self.wall)
    #expect(heard["/session/show/gain"] == [0.0] && heard["/session/show/mute"] == [0])
    #expect(heard.filter { $0.address == "/snapshot/end" }.count == 2)
    for hours in 1...3 {
      desk.time += 3_600
      desk.send("/session/show/gain", .float(Float(-hours)))
      #expect(desk.wait(0.1, as: Self.wall)["/session/show/gain"] == [.float(Float(-hours))])
    }
  }

  @Test("Its settings are those of the configuration")
  func settings() throws {
    var surface = try surface("/session/show")
    (surface.rate, surface.echo, surface.switches) = (5, .never, .tags)
    var desk = try desk(surface)
    #expect(desk.wait(1, as: Self.wall)["/session/show/mute"] == [.boolean(false)])
    var heard: [OSCMessage] = []
    for step in 1...100 {
      desk.send("/session/show/gain", .float(Float(-step) / 10))
      heard += desk.wait(0.01, as: Self.wall).filter { $0.address == "/session/show/gain" }
    }
    #expect((4...7).contains(heard.count))
    #expect(desk.send("/client/echo", from: Self.wall) == [OSCMessage("/client/echo", "never")])
  }

  @Test("No other client gets its place, and a surface that refuses packets keeps its subscriptions")
  func place() throws {
    var desk = try desk(surface("/ramp"))
    desk.wait(1)
    desk.time += 100
    for port in 1...80 { desk.send("/subscribe", "/ramp", from: Desk.local(UInt16(port))) }
    desk.surface.endFeedback(to: Self.wall, at: desk.time)
    desk.wait(1, as: Self.wall)
    desk.send("/ramp", 0.5, from: Desk.local(1))
    #expect(desk.wait(0.1, as: Self.wall)["/ramp"] == [0.5])
  }

  @Test("It gets a snapshot when its port accepts packets again, and with its first message after a silence")
  func comeback() throws {
    var desk = try desk(surface("/session/show/gain"))
    desk.wait(1, as: Self.wall)
    desk.surface.resumeFeedback(to: Self.wall)
    #expect(desk.wait(0.5, as: Self.wall)["/session/show/gain"] == [0.0])
    // Its first message in this run.
    desk.send("/ping", from: Self.wall)
    #expect(desk.wait(0.5, as: Self.wall)["/session/show/gain"] == [0.0])
    desk.send("/ping", from: Self.wall)
    #expect(desk.wait(0.5, as: Self.wall)["/session/show/gain"] == nil)
    desk.time += 31
    desk.send("/ping", from: Self.wall)
    #expect(desk.wait(0.5, as: Self.wall)["/session/show/gain"] == [0.0])
  }

  @Test("A reload adds, changes and removes surfaces, and leaves the others alone")
  func reload() throws {
    let wall = try surface("/session/show/gain")
    var desk = try desk(wall)
    desk.wait(1, as: Self.wall)
    var admission = desk.surface.admission
    var second = wall
    (second.name, second.port) = ("door", 9_001)
    admission.surfaces.append(second)
    desk.surface.admit(admission)
    #expect(desk.wait(0.5, as: Self.wall).isEmpty)
    #expect(desk.wait(0, as: Self.wall.withPort(9_001))["/session/show/gain"] == [0.0])
    admission.surfaces = [try surface("/session/music/gain"), second]
    desk.surface.admit(admission)
    #expect(desk.wait(0.5, as: Self.wall)["/session/music/gain"] == [0.0])
    admission.surfaces = [second]
    desk.surface.admit(admission)
    desk.send("/session/music/gain", -3)
    #expect(desk.wait(0.5, as: Self.wall).isEmpty)
  }
}
