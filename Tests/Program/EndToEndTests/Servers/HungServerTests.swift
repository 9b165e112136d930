import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// A server that runs no periods and answers nothing, because a debugger has stopped it or a driver hangs.
@Suite struct HungServerTests {
  /// Stops jackd while this object exists.
  private final class Standstill {
    private let identifier: Int32

    init(_ server: PrivateServer) throws {
      identifier = try #require(server.server.processIdentifier)
      kill(identifier, SIGSTOP)
    }

    func end() { kill(identifier, SIGCONT) }

    deinit { end() }
  }

  @Test("A router with many sessions ends in order, and the server goes on")
  func goesOn() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0"])
    for number in 0..<25 { try house.surface.send("/session/create", .string("s\(number)"), "playback") }
    #expect(house.router.terminate().code == 0)
    #expect(!house.router.child.errors.text.contains("does not release"))
    try house.stage.do("await-port multiroute:s24.main_1 gone")
    try house.stage.do("await-port multiroute:show.band_1 gone")
    try house.connect("Band:out_1", to: "Speaker:playback_1")
  }

  @Test(
    "A server that stands still counts as gone, commands are answered meanwhile, and sound returns with the server"
  )
  func standsStill() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let surface = house.surface
    // Connections that were taken from other programs must come back although the router joins the server anew.
    try house.connect("Band:out_2", to: "Speaker:playback_2")
    try surface.send("/session/show/stream/band/exclusive", 1)
    try surface.subscribe("/event/*")
    try house.stage.do("wait-signal \"USB Interface\" 1 -1")
    let before = try Vitals(of: house.router.child.identifier)
    for _ in 0..<2 {
      let standstill = try Standstill(house.server)
      // Asks the server for ports, which it never makes.
      try surface.tell("/session/create", "more", "playback")
      #expect(try surface.event("media", seconds: 8) == ["lost"])
      let start = ContinuousClock.now
      try surface.send("/session/show/stream/band/gain", -6)
      #expect(try surface.number("/session/show/stream/band/gain") == -6)
      #expect(try surface.text("/media/state") == "lost")
      let refusal = #expect(throws: ControlSurface.Refusal.self) {
        try surface.send("/session/show/active", 1)
      }
      #expect(refusal?.symbol == "msrv")
      // A router that waits for the server waits for seconds.
      #expect(start.secondsSince < 2)
      try surface.send("/session/remove", "more")
      standstill.end()
      #expect(try surface.event("media", seconds: 5) == ["reset"])
      try house.stage.do("wait-signal \"USB Interface\" 1 -7")
    }
    try house.stage.do("frames 20000")
    let level = try house.stage.value("tone", of: "level \"USB Interface\" 1 997 0.2")
    #expect(abs(level + 6) < 0.02)
    #expect(try house.stage.names("connections \"USB Interface:playback_1\"") == ["multiroute:to-usb_1"])
    let after = try Vitals.atRest(of: house.router.child.identifier, since: before) {
      try house.stage.do("frames 1024")
    }
    // A router that has just begun may have something open for a moment.
    #expect(after.descriptors <= before.descriptors && after.threads <= before.threads, "\(before), \(after)")
    #expect(try house.stage.names("connections Band:out_2") == ["multiroute:show.band_2"])
    #expect(house.router.terminate().code == 0)
    try house.stage.expectLeft(["Speaker:playback_2"], at: "Band:out_2")
  }

  @Test("A router whose server stands still ends at a signal within a second, and leaves no socket behind")
  func ends() async throws {
    let house = try await House()
    #expect(FileManager.default.fileExists(atPath: house.router.socket))
    let standstill = try Standstill(house.server)
    let end = house.router.terminate()
    #expect(end.code == 0)
    #expect(end.seconds < 1.5)
    #expect(!FileManager.default.fileExists(atPath: house.router.socket))
    standstill.end()
  }

  @Test("A router that is joining a server that stands still ends at a signal within a second")
  func endsWhileOpening() async throws {
    let server = try await PrivateServer()
    let standstill = try Standstill(server)
    let folder = try TemporaryFolder()
    let child = try Program.start(
      ["run", "--server", server.name, "--osc", "127.0.0.1:0", "--config", "none", "--log", "debug"],
      in: folder)
    #expect(child.wait(seconds: 1) == nil)
    let start = ContinuousClock.now
    child.send(signal: SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
    #expect(start.secondsSince < 1.5)
    standstill.end()
  }
}
