import Foundation
import OSC
import TestKit
import Testing

/// Storms of packets at a running router, over real sockets.
@Suite(.serialized) struct StormTests {
  private func router(
    _ server: PrivateServer, _ folder: TemporaryFolder, _ name: String
  ) throws -> RouterProcess {
    try RouterProcess(
      preset: nil, server: server.name, in: folder, flags: ["--name", name], owners: [server])
  }

  @Test(
    "Two routers that subscribe to one another, and one that would subscribe to itself, are quiet within a second"
  )
  func routers() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let (left, right) = (try router(server, folder, "left"), try router(server, folder, "right"))
    let (atLeft, atRight) = (try ControlSurface(port: left.port), try ControlSurface(port: right.port))
    for surface in [atLeft, atRight] {
      try surface.send("/session/create", "show", "multiRoute")
      try surface.send("/session/show/gain", -10.0)
    }
    #expect(throws: ControlSurface.Refusal.self) {
      try atLeft.send("/subscribe", "", 30, .int32(Int32(left.port)))
    }
    try atLeft.send("/subscribe", "", 30, .int32(Int32(right.port)))
    try atRight.send("/subscribe", "", 30, .int32(Int32(left.port)))
    // Answers go to the named port from now on, so other clients ask.
    let (askLeft, askRight) = (try ControlSurface(port: left.port), try ControlSurface(port: right.port))
    try askLeft.send("/session/show/gain", -3.0)
    try await Task.sleep(for: .seconds(1))
    let before = [try askLeft.counters()["received"], try askRight.counters()["received"]]
    try await Task.sleep(for: .seconds(1))
    let after = [try askLeft.counters()["received"], try askRight.counters()["received"]]
    for (before, after) in zip(before, after) {
      #expect(try #require(after) - #require(before) <= 2, "one of them is the question itself")
    }
    #expect(try askLeft.number("/session/show/gain") == -3)
    #expect(try askRight.number("/session/show/gain") == -10, "no router moves the faders of another one")
  }

  @Test("Snapshots of sixty clients, sixty-four each, need no memory, and all of them arrive")
  func snapshots() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "desk")
    let surface = try ControlSurface(port: router.port)
    for number in 0..<20 { try surface.send("/session/create", .string("s\(number)"), "multiRoute") }
    let before = try Vitals(of: router.child.identifier).memory
    let clients = try (0..<60).map { _ in try OSCClient(host: "127.0.0.1", port: router.port) }
    for client in clients {
      for half in 0..<2 {
        let packet = (0..<32).map { OSCMessage("/snapshot", .string("/{session,x\(half * 32 + $0)}")) }
        try client.send(.bundle(OSCBundle(packet.map(OSCPacket.message))))
      }
    }
    // The answer comes behind the snapshots that were begun.
    try surface.sync()
    let during = try Vitals(of: router.child.identifier).memory
    #expect(during - before < 5 << 20, "\((during - before) >> 10) KiB")
    for client in clients { try client.send(OSCMessage("/bye")) }
    try surface.sync()
    #expect(try surface.number("/session/s0/gain") == 0)
  }

  @Test(
    "Of a storm of fader messages the last value counts, with four subscribers, and the overflow is counted and not silent"
  )
  func lastValue() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "desk")
    let surface = try ControlSurface(port: router.port)
    try surface.send("/session/create", "show", "multiRoute")
    let subscribers = try (0..<4).map { _ in try ControlSurface(port: router.port) }
    for subscriber in subscribers { try subscriber.subscribe("/session") }
    let storm = try OSCClient(host: "127.0.0.1", port: router.port)
    // 20,000 messages a second.
    for burst in 0..<1_000 {
      for number in 0..<20 {
        try storm.send(OSCMessage("/session/show/gain", .float(-Float((burst + number) % 60) - 1)))
      }
      usleep(1_000)
    }
    try storm.send(
      .bundle(
        OSCBundle([OSCMessage("/session/show/gain", -3.5), OSCMessage("/sync", 7)].map(OSCPacket.message))))
    var isSynced = false
    while !isSynced, let packet = try storm.receive(timeout: .seconds(5)) {
      isSynced = packet.messages.contains { $0.address == "/synced" }
    }
    try #require(isSynced)
    #expect(try surface.number("/session/show/gain") == -3.5)
    for subscriber in subscribers {
      try subscriber.wait(for: "/session/show/gain") { $0.arguments == [-3.5] }
    }
    let counters = try surface.counters()
    #expect(counters["replaced"]! > 0 || counters["received"]! >= 20_000)
    #expect(counters["overflow"] == 0)
  }
}
