import Foundation
import OSC
import StageKit
import TestKit
import Testing

/// A server that is there and does nothing: stopped by a debugger, or stuck in a driver.
@Suite(.repeatedAfterStalls) struct HungServerTests {
  /// Stops jackd for as long as this is held.
  private final class Standstill {
    private let identifier: Int32

    init(_ server: PrivateServer) throws {
      identifier = try #require(server.server.processIdentifier)
      kill(identifier, SIGSTOP)
    }

    func end() { kill(identifier, SIGCONT) }

    deinit { end() }
  }

  @Test(
    "A server that stands still is lost, everything is answered meanwhile, and sound is back when it goes on")
  func standsStill() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let surface = house.surface
    // Cables that were taken from others must come back although the server is joined anew.
    try house.cable("Band:out_2", to: "Speaker:playback_2")
    try surface.send("/session/show/stream/band/exclusive", 1)
    try surface.subscribe("/event/*")
    try house.stage.do("wait-signal \"USB Interface\" 1 -1 5")
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
      #expect(start.secondsSince < 0.5)
      try surface.send("/session/remove", "more")
      standstill.end()
      #expect(try surface.event("media", seconds: 5) == ["reset"])
      try house.stage.do("wait-signal \"USB Interface\" 1 -7 5")
    }
    try house.stage.do("frames 20000")
    let level = try house.stage.value("tone", of: "level \"USB Interface\" 1 997 0.2")
    #expect(abs(level + 6) < 0.02)
    #expect(try house.stage.names("connections \"USB Interface:playback_1\"") == ["multiroute:to-usb_1"])
    let after = try Vitals(of: house.router.child.identifier)
    #expect(after.descriptors == before.descriptors && after.threads == before.threads, "\(before), \(after)")
    #expect(try house.stage.names("connections Band:out_2") == ["multiroute:show.band_2"])
    #expect(house.router.terminate().code == 0)
    #expect(try house.stage.names("connections Band:out_2") == ["Speaker:playback_2"])
  }

  @Test("A router whose server stands still ends at a signal within a second")
  func ends() async throws {
    let house = try await House()
    let standstill = try Standstill(house.server)
    let end = house.router.terminate()
    #expect(end.code == 0)
    #expect(end.seconds < 1.5)
    standstill.end()
  }

  @Test("A router that asks a server that stands still for the first time ends at a signal, too")
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
