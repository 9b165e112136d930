import Foundation
import OSC
import StageKit
import TestKit
import Testing

/// The audio server dies and comes back.
@Suite(.repeatedAfterStalls) struct RestartTests {
  /// The band at the USB interface; the ceiling lets it through bit for bit.
  static let cardShow = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2, "ceiling": 0 } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb": 0 } } } } } }
    """

  @Test(
    "The router outlives jackd, asked to end and killed, with the same ports, routes and levels, and leaks nothing"
  )
  func jackd() async throws {
    let server = try await PrivateServer()
    let run = try RestartRun(.jackd(server), preset: House.show)
    for round in 0..<10 { try run.restart(isKilled: round.isMultiple(of: 2)) }
    run.expectSound(within: 1, restarts: 10)
    #expect(run.router.terminate().code == 0)
  }

  @Test(
    "The router outlives PipeWire, asked to end and killed, with the same ports, routes and levels, and leaks nothing"
  )
  func pipeWire() async throws {
    let server = try await PrivatePipeWire()
    let run = try RestartRun(.pipeWire(server), preset: Self.cardShow)
    for round in 0..<5 { try run.restart(isKilled: round.isMultiple(of: 2)) }
    run.expectSound(within: 1, restarts: 5)
    #expect(run.router.terminate().code == 0)
  }

  @Test("A cable that was made by hand is not made again when the server is back")
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
    stage = nil
    try host.start()
    #expect(try surface.event("media") == ["lost"])
    #expect(try surface.event("media") == ["reset"])
    let next = try host.stage()
    try host.furnish(next)
    try next.do("wait-signal \"USB Interface\" 1 -40 5")
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
      ["run", "--server", "mrtest-nobody", "--osc", "127.0.0.1:0", "--config", "none", "--wait"], in: folder)
    #expect(child.errors.line(containing: "waiting for one") != nil)
    child.send(signal: 15)
    #expect(child.wait(seconds: 5) == 0)
    #expect(!child.errors.text.contains("ready"))
  }

  @Test("A router that waits costs next to no processor time, and holds no more after a while")
  func waitsCheaply() throws {
    let folder = try TemporaryFolder()
    let child = try Program.start(
      ["run", "--server", "mrtest-nobody", "--osc", "127.0.0.1:0", "--config", "none", "--wait"], in: folder)
    #expect(child.errors.line(containing: "waiting for one") != nil)
    // Past the first second, in which the server is expected every moment.
    #expect(child.wait(seconds: 1.2) == nil)
    let before = try Vitals(of: child.identifier)
    #expect(child.wait(seconds: 3) == nil)
    let after = try Vitals(of: child.identifier)
    let share = (after.processorTime - before.processorTime) / 3
    print("a waiting router takes \(100 * share) % of a processor")
    // This build is not optimised; asking without a pause takes all of one.
    #expect(share < 0.03)
    #expect(after.descriptors == before.descriptors && after.threads == before.threads)
    child.send(signal: SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
  }

  @Test(
    "A server that cannot be started is waited for, if that is asked, and else an error",
    arguments: [false, true])
  func cannotStart(waits: Bool) async throws {
    let folder = try TemporaryFolder()
    let child = try Program.start(
      [
        "run", "--server", "mrtest-nobody", "--osc", "127.0.0.1:0", "--config", "none", "--start-server",
      ] + (waits ? ["--wait"] : []), in: folder, environment: ["PATH": "/nonexistent"])
    #expect(child.errors.line(containing: "no dummy JACK server could be started") != nil)
    if waits {
      #expect(child.errors.line(containing: "waiting for one") != nil)
      child.send(signal: SIGTERM)
    }
    #expect(child.wait(seconds: 5) == (waits ? 0 : 69))
  }
}
