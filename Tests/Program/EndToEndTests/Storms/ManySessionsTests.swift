import Foundation
import OSC
import TestKit
import Testing

/// Hundreds of sessions with more than a thousand JACK ports.
@Suite(.serialized) struct ManySessionsTests {
  private static let channels = 5

  /// A router with so many sessions, whose ports exist.
  private func router(_ count: Int, _ server: PrivateServer) throws -> (RouterProcess, StageProcess) {
    let (folder, stage) = (try TemporaryFolder(), try server.stage())
    let sessions = (0..<count).map {
      "\"s\($0)\": { \"category\": \"multiRoute\", \"streams\": { \"main\": { \"channels\": \(Self.channels) } } }"
    }
    let router = try RouterProcess(
      preset: folder.write(House.preset(sessions.joined(separator: ",\n")), to: "many.json"),
      server: server.name, in: folder, owners: [stage, server])
    try stage.do("await-port multiroute:s\(count - 1).main_\(Self.channels)")
    return (router, stage)
  }

  @Test(
    "While hundreds of sessions and their ports are removed, another client is answered",
    arguments: [150, 280])
  func removal(count: Int) async throws {
    let server = try await PrivateServer()
    let start = ContinuousClock.now
    let (router, stage) = try router(count, server)
    let surface = try ControlSurface(port: router.port)
    let made = start.secondsSince
    let pinger = try Pinger(port: router.port)
    let begin = ContinuousClock.now
    for number in 0..<count { try surface.tell("/session/remove", .string("s\(number)")) }
    try surface.tell("/sync", 1)
    try surface.wait(for: "/synced", seconds: 60)
    let decided = begin.secondsSince
    try stage.do("await-port multiroute:s\(count - 1).main_1 gone")
    let waits = pinger.finish()
    print(
      "\(count) sessions made in \(made) s, removed in \(decided) s, their ports in \(begin.secondsSince) s; \(waits.seconds.count) pings, longest \(waits.longest) s, usual \(waits.usual) s"
    )
    #expect(try !stage.names("ports").contains { $0.hasPrefix("multiroute:s") })
    // A router that answers only after the last removal keeps a client waiting for all of that time.
    #expect(waits.longest < decided / 4)
  }

  @Test("SIGTERM ends a router with 1,400 ports within a second")
  func end() async throws {
    let server = try await PrivateServer()
    let (router, stage) = try router(280, server)
    let ports = try stage.names("ports").filter { $0.hasPrefix("multiroute:") }
    #expect(ports.count >= 1_400)
    let end = router.terminate()
    print("1,400 ports: ended in \(end.seconds) s")
    #expect(end.code == 0)
    #expect(end.seconds < 1)
  }
}
