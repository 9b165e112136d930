import Foundation
import JackServer
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
    "Of ten seconds of a storm at one fader the last value counts; memory stays, the router is never late, and others are answered"
  )
  func lastValue() async throws {
    // 85 ms, so that a machine that gives the router no processor for a while does not count.
    let period = 4_096
    let server = try await PrivateServer { $0.period = period }
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "desk")
    let surface = try ControlSurface(port: router.port)
    try surface.send("/session/create", "show", "multiRoute")
    let subscribers = try (0..<4).map { _ in try ControlSurface(port: router.port) }
    for subscriber in subscribers { try subscriber.subscribe("/session") }
    let storm = try OSCClient(host: "127.0.0.1", port: router.port)
    /// 10,000 messages a second, while another client asks. What a router that is built for speed takes is measured (`make bench`).
    func blow(seconds: Int) throws {
      for second in 0..<seconds {
        for burst in 0..<1_000 {
          for number in 0..<10 {
            try storm.send(
              OSCMessage("/session/show/gain", .float(-Float((second + burst + number) % 60) - 1)))
          }
          usleep(900)
        }
        #expect(try surface.number("/session/show/gain") < 0)
        // The subscribers read what has come.
        for subscriber in subscribers { #expect(try !subscriber.takeAll().isEmpty) }
      }
    }
    // Buffers reach their sizes.
    try blow(seconds: 1)
    let before = try Vitals(of: router.child.identifier).memory
    try blow(seconds: 10)
    let after = try Vitals(of: router.child.identifier).memory
    #expect(after - before < 2 << 20, "\((after - before) >> 10) KiB")
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
    #expect(counters["replaced"]! > 0 || counters["received"]! >= 100_000)
    #expect(counters["overflow"] == 0)
    let longest = try #require(counters["longest"])
    #expect(
      longest < period * 1_000_000 / 48_000 / 2, "microseconds that the router took for its longest period")
  }
}
