import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// The audio server ends and returns.
@Suite struct RestartTests {
  /// The band at the USB interface. Its ceiling is so high that the band passes bit for bit.
  static let cardShow = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2, "ceiling": 0 } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb": 0 } } } } } }
    """

  @Test(
    "If jackd is stopped or killed, the router goes on, later has the same ports, routes and levels, and leaks nothing"
  )
  func jackd() async throws {
    let server = try await PrivateServer()
    let run = try RestartRun(.jackd(server), preset: House.show)
    for round in 0..<10 { try run.restart(isKilled: round.isMultiple(of: 2)) }
    run.expectSound(within: 3, restarts: 10)
    #expect(run.router.terminate().code == 0)
  }

  @Test(
    "If PipeWire is stopped or killed, the router goes on, later has the same ports, routes and levels, and leaks nothing"
  )
  func pipeWire() async throws {
    let server = try await PrivatePipeWire()
    let run = try RestartRun(.pipeWire(server), preset: Self.cardShow)
    for round in 0..<5 { try run.restart(isKilled: round.isMultiple(of: 2)) }
    run.expectSound(within: 3, restarts: 5)
    #expect(run.router.terminate().code == 0)
  }

  @Test("The router does not restore a connection that a user made when the server returns")
  func handMade() async throws {
    let server = try await PrivateServer()
    let host = RestartRun.Host.jackd(server)
    var stage: StageProcess? = try host.stage()
    try host.furnish(try #require(stage))
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder)
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    try stage?.do("connect Band:out_1 \"USB Interface:playback_4\"")
    try stage?.do("connect multiroute:to-usb_1 Speaker:playback_1")
    host.end(false)
    // Its server is gone, so the stage cannot leave properly.
    stage?.kill()
    stage = nil
    try host.start()
    do {
      #expect(try surface.event("media") == ["lost"])
      // jackd that has just started on a busy machine may refuse a client several times, each time for twenty periods.
      #expect(try surface.event("media", seconds: 20) == ["reset"])
    } catch {
      Issue.record(error, "\(router.diagnosis)")
    }
    let next = try host.stage()
    try host.furnish(next)
    try next.do("wait-signal \"USB Interface\" 1 -40")
    #expect(try next.names("connections \"USB Interface:playback_1\"") == ["multiroute:to-usb_1"])
    #expect(try next.names("connections \"USB Interface:playback_4\"") == ["multiroute:to-usb_4"])
    #expect(try next.names("connections multiroute:to-usb_1") == ["USB Interface:playback_1"])
  }

  @Test("With --wait the router waits for its server, and is ready when the preset is in force")
  func waits() async throws {
    let server = try await PrivateServer()
    server.server.stop()
    let folder = try TemporaryFolder()
    let child = try Program.start(
      [
        "run", folder.write(House.show, to: "show.json"), "--server", server.name, "--osc", "127.0.0.1:0",
        "--config", "none", "--wait",
      ], in: folder)
    #expect(child.errors.line(containing: "waiting for one") != nil)
    try server.server.start()
    #expect(child.errors.line(containing: "multiroute: ready jack=multiroute ") != nil)
    let stage = try server.stage()
    try stage.do("await-port multiroute:show.band_1")
    child.send(signal: 15)
    #expect(child.wait(seconds: 5) == 0)
  }

  @Test("A router that waits for a server ends at a signal")
  func waitsNoMore() throws {
    let folder = try TemporaryFolder()
    let child = try Program.start(
      ["run", "--server", "mrtest-absent", "--osc", "127.0.0.1:0", "--config", "none", "--wait"], in: folder)
    #expect(child.errors.line(containing: "waiting for one") != nil)
    child.send(signal: 15)
    #expect(child.wait(seconds: 5) == 0)
    #expect(!child.errors.text.contains("ready"))
  }

  @Test("A router that waits for a server uses hardly any processor time, and leaks nothing")
  func waitsCheaply() throws {
    let folder = try TemporaryFolder()
    let child = try Program.start(
      ["run", "--server", "mrtest-absent", "--osc", "127.0.0.1:0", "--config", "none", "--wait"], in: folder)
    #expect(child.errors.line(containing: "waiting for one") != nil)
    // After the first second, in which the router looks for the server more often.
    #expect(child.wait(seconds: 1.2) == nil)
    let before = try Vitals(of: child.identifier)
    #expect(child.wait(seconds: 3) == nil)
    let after = try Vitals(of: child.identifier)
    let share = (after.processorTime - before.processorTime) / 3
    print("a waiting router takes \(100 * share) % of a processor")
    // This build is not optimised. A search without pauses would use a whole processor.
    #expect(share < 0.03)
    #expect(after.descriptors == before.descriptors && after.threads == before.threads)
    child.send(signal: SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
  }

  @Test(
    "If a server cannot be started, the router waits with --wait, and otherwise ends with an error",
    arguments: [false, true])
  func cannotStart(waits: Bool) async throws {
    let folder = try TemporaryFolder()
    let child = try Program.start(
      [
        "run", "--server", "mrtest-absent", "--osc", "127.0.0.1:0", "--config", "none", "--start-server",
      ] + (waits ? ["--wait"] : []), in: folder, environment: ["PATH": "/nonexistent"])
    #expect(child.errors.line(containing: "no dummy JACK server could be started") != nil)
    if waits {
      #expect(child.errors.line(containing: "waiting for one") != nil)
      child.send(signal: SIGTERM)
    }
    #expect(child.wait(seconds: 5) == (waits ? 0 : 69))
  }
}
