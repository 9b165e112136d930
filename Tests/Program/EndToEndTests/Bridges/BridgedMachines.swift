import Foundation
import JackServer
import TestKit
import Testing

/// Two simulated machines, each with a JACK server and a router, joined by zita-njbridge: a band at the near one is heard at the far one.
struct BridgedMachines {
  /// One simulated machine: a server with programs and devices, and a router.
  final class Machine {
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

  let (here, there): (Machine, Machine)

  /// - Parameter farRate: the rate of the far machine in Hz; its period is another one in any case.
  init(farRate: Int) async throws {
    let near = try await PrivateServer()
    let far = try near.neighbour { ($0.sampleRate, $0.period) = (farRate, 512) }
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
}
