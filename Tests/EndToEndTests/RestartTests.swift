import OSC
import StageKit
import TestKit
import Testing

/// The JACK server dies and comes back.
@Suite struct RestartTests {
  @Test(
    "The router outlives its server and is heard again with the same ports, routes and levels",
    arguments: [false, true])
  func restart(isKilled: Bool) async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    var stage: StageProcess? = try server.stage()
    func plugIn() throws {
      for command in House.devices + ["source Band 2 sine 997 0", "source Metronome 1 silence"] {
        try stage?.do(command)
      }
    }
    try plugIn()
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder)
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    try surface.send("/session/show/stream/band/gain", -6.0)
    try surface.send("/output/usb/gain", -6.0)
    try surface.send("/session/show/stream/click/route", "headphones,usb:4")
    try stage?.do("wait-signal \"USB Interface\" 1 -13 5")
    let ports = try #require(try stage?.names("ports").filter { $0.hasPrefix("multiroute:") })
    let routes = try surface.text("/session/show/stream/band/route")

    for _ in 0..<2 {
      if isKilled { server.server.kill() } else { server.server.stop() }
      #expect(try surface.event("media") == ["lost"])
      #expect(try surface.event("active") == ["show", 0, "system"])
      #expect(try surface.text("/media/state") == "lost")
      let refusal = #expect(throws: ControlSurface.Refusal.self) {
        try surface.send("/session/show/active", 1)
      }
      #expect(refusal?.symbol == "msrv")
      #expect(throws: ControlSurface.Refusal.self) { try surface.send("/sync", 1) }
      // What is set now is heard later.
      try surface.send("/output/usb/gain", -3.0)
      stage?.kill()
      try server.server.start()
      #expect(try surface.event("media") == ["reset"])
      #expect(try surface.event("active") == ["show", 1, "system"])
      stage = try server.stage()
      try plugIn()
      try stage?.do("wait-signal \"USB Interface\" 1 -10 5")
      try stage?.do("frames 4800")
      let level = try stage?.value("tone", of: "level \"USB Interface\" 1 997 0.2") ?? 0
      #expect(abs(level + 9) < 0.01)
      #expect(try Set(stage?.names("ports").filter { $0.hasPrefix("multiroute:") } ?? []) == Set(ports))
      #expect(try surface.text("/session/show/stream/band/route") == routes)
      #expect(try surface.text("/session/show/stream/click/route") == "usb:4,headphones")
      #expect(try surface.number("/session/show/stream/band/gain") == -6)
      try surface.sync()
    }
    stage = nil
    #expect(router.terminate().code == 0)
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
}
