import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// Two machines, each with a JACK server and a router, joined by zita-njbridge.
@Suite struct NetworkBridgeTests {
  /// One simulated machine: a server with programs and devices, and a router.
  private final class Machine {
    let server: PrivateServer
    let router: RouterProcess
    let surface: ControlSurface
    private(set) var stage: StageProcess?
    private let client: String

    init(
      _ server: PrivateServer, name: String, _ client: String, _ preset: String, in folder: TemporaryFolder
    )
      throws
    {
      (self.server, self.client) = (server, client)
      stage = try server.stage()
      try stage?.do(client)
      router = try RouterProcess(
        preset: folder.write(preset, to: "\(name).json"), server: server.name, in: folder,
        flags: ["--name", name, "--state", folder.file(name)], owners: [server])
      surface = try ControlSurface(port: router.port)
    }

    /// Kills the server, and starts it again with the same devices and programs.
    func crash() throws {
      try surface.subscribe("/event/media")
      server.server.kill()
      #expect(try surface.event("media") == ["lost"])
      stage?.kill()
      try server.server.start()
      #expect(try surface.event("media") == ["reset"])
      stage = try server.stage()
      try stage?.do(client)
    }

    func leave() { stage = nil }
  }

  private let (here, there): (Machine, Machine)

  init() async throws {
    let near = try await PrivateServer()
    // Another rate and period: the machines share no clock.
    let far = try near.neighbour { ($0.sampleRate, $0.period) = (44_100, 512) }
    let folder = try TemporaryFolder()
    let port = 20_000 + Int(getpid()) % 10_000
    here = try Machine(
      near, name: "here", "source Band 2 sine 997 -12",
      """
      { "multiroute": 1, "ports": { "far": { "type": "avb", "channels": 2,
        "bridge": { "tool": "zita-j2n", "address": "127.0.0.1", "port": \(port), "format": "float" } } },
      "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
        "band": { "channels": 2, "from": ["Band:out_*"], "to": { "far": 0 } } } } } }
      """, in: folder)
    there = try Machine(
      far, name: "there", "device Ear 2 0",
      """
      { "multiroute": 1, "ports": { "ear": { "type": "usbAudio", "outputs": ["Ear:playback_*"], "channels": 2 },
        "near": { "type": "avb", "channels": 2,
          "bridge": { "tool": "zita-n2j", "address": "127.0.0.1", "port": \(port), "buffer": 0.02 } } },
      "sessions": { "relay": { "category": "multiRoute", "activate": "start", "streams": {
        "main": { "channels": 2, "from": ["input:near"], "to": { "ear": 0 } } } } } }
      """, in: folder)
  }

  /// Expects that the near machine's band is heard at the far machine, at its level, once the bridge has adapted to the clocks.
  private func expectHeard() throws {
    let ear = try #require(there.stage)
    for channel in 1...2 { try ear.do("wait-tone Ear \(channel) 997 -12 20") }
  }

  @Test("Sound of the near machine is heard at the far one, also after either server was killed")
  func servers() throws {
    try expectHeard()
    #expect(try here.surface.text("/output/far/bridge") == "zita-j2n runs")
    #expect(try there.surface.text("/input/near/bridge") == "zita-n2j runs")
    try here.surface.subscribe("/event/*")
    try there.crash()
    try expectHeard()
    // The near machine did not change.
    let told = try here.surface.takeAll().map(\.address).filter {
      $0 != "/event/xrun" && $0.hasPrefix("/event/")
    }
    #expect(told.isEmpty, "\(told)")
    try here.crash()
    try expectHeard()
    try here.surface.sync()
    try here.stage?.do("await-connection here:to-far_1 j2n-far:in_1")
    here.leave()
    #expect(here.router.terminate().code == 0)
    _ = there.router.terminate(by: SIGKILL)
    try there.stage?.do("await-port n2j-near:out_1 gone")
    there.leave()
  }
}
