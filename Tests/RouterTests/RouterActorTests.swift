import MixKernel
import OSC
import SessionModel
import Surface
import Synchronization
import Testing

@testable import Router

/// The actor on a server in memory.
@Suite struct RouterActorTests {
  /// Events that a router told, by name.
  private final class Log: Sendable {
    private let events = Mutex<[OSCMessage]>([])
    func add(_ event: OSCMessage) { events.withLock { $0.append(event) } }
    var names: [String] { events.withLock { $0.map(\.address) } }
    func take() -> [OSCMessage] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private func router(
    _ backend: sending MemoryBackend, _ log: Log, owed: TakenCables? = nil
  ) -> Router {
    var settings = Router.Settings(version: "0", address: "memory", epoch: 1)
    settings.owed = owed
    return Router(settings, backend: backend, send: { _ in }, record: { log.add($0) })
  }

  @Test(
    "A device that is found with both directions is one change of route, and the last of several is the last in"
  )
  func foundTogether() async throws {
    let log = Log()
    let router = router(MemoryBackend(Show.device("Mic", capture: 1)), log)
    try await router.perform { router throws(BackendError) in try router.open() }
    await router.perform { router in
      router.happen(.createSession("talk", SessionConfiguration(category: .playAndRecord)))
      router.happen(.activate("talk"))
      (router.backend as? MemoryBackend)?.others +=
        Show.device("First", playback: 2, capture: 2) + Show.device("Second", playback: 2, capture: 2)
      _ = log.take()
      router.wire()
    }
    let told = log.take().filter { $0.address == "/event/route" }.map { Array($0.arguments.suffix(2)) }
    #expect(told == [[.string("in:mic out:none"), .string("in:second out:second")]])
    #expect(await router.snapshot.inputs["mic"]?.latency == 0)
    await router.perform { $0.measureInputs() }
    #expect(await router.snapshot.inputs["mic"]?.latency == 128.0 / 48_000)
  }

  @Test("A server that dies while it is joined leaves no audio thread behind, and is found when it is back")
  func diesWhileOpening() async throws {
    let log = Log()
    let router = router(MemoryBackend(Show.devices), log)
    try await router.perform { router throws(BackendError) in
      let backend = router.backend as? MemoryBackend
      backend?.diesWhileOpening = true
      #expect(throws: BackendError.self) { try router.open() }
      #expect(backend?.isRunning == false)
      backend?.diesWhileOpening = false
      try router.open()
      #expect(backend?.isRunning == true)
    }
    #expect(await router.snapshot.outputs.keys == ["usb", "headphones"])
    await router.stop()
    router.executor.stop()
  }

  @Test("Devices that nobody names are found when the server is, and lost when it goes, once each")
  func lifecycle() async throws {
    let log = Log()
    let router = router(MemoryBackend(Show.devices), log)
    await router.perform { $0.join() }
    #expect(await router.snapshot.outputs.keys == ["usb", "headphones"])
    #expect(await router.snapshot.inputs.keys == ["mic"])
    #expect(log.take().map(\.address) == ["/event/media", "/event/port", "/event/port", "/event/port"])
    await router.perform { router in
      (router.backend as? MemoryBackend)?.die()
      router.heed(router.backend.takeNotices())
    }
    #expect(await !router.snapshot.server.isRunning)
    let told = log.take()
    #expect(told.first?.arguments.last == .string("lost"))
    #expect(told.filter { $0.address == "/event/port" }.count == 3)
    // There is none yet, then there is.
    await router.perform { $0.followSearch() }
    #expect(await !router.snapshot.server.isRunning)
    #expect(await router.missing == .noServer("gone"))
    await router.perform { router in
      guard let backend = router.backend as? MemoryBackend else { return }
      backend.refusal = nil
      backend.others = Show.devices
      router.followSearch()
    }
    #expect(await router.snapshot.server.isRunning)
    #expect(await router.missing == nil)
    #expect(log.take().first?.arguments.last == .string("reset"))
    router.executor.stop()
  }

  @Test(
    "The period that sessions wish is asked of the server once, if that is allowed, and read back",
    arguments: [false, true])
  func period(isAllowed: Bool) async throws {
    let log = Log()
    var settings = Router.Settings(version: "0", address: "memory", epoch: 1)
    settings.allowsPeriodChange = isAllowed
    let router = Router(
      settings, backend: MemoryBackend(Show.devices), send: { _ in }, record: { log.add($0) })
    await router.perform { router in
      router.join()
      router.state.wishedPeriod = 512
      // Any event has the router look at what is wished.
      for _ in 0..<2 { router.happen(.router(.panic(false))) }
      router.heed(router.backend.takeNotices())
      let asked = (router.backend as? MemoryBackend)?.requestedPeriods
      #expect(asked == (isAllowed ? [512] : []))
      #expect(router.state.server.period == (isAllowed ? 512 : 256))
      // What the server has already is not asked for.
      router.state.wishedPeriod = router.state.server.period
      router.happen(.router(.panic(false)))
      #expect((router.backend as? MemoryBackend)?.requestedPeriods == asked)
      // A server that refuses is asked once, and what is in force stays.
      (router.backend as? MemoryBackend)?.refusal = .refused("no")
      router.state.wishedPeriod = 1_024
      for _ in 0..<2 { router.happen(.router(.panic(false))) }
      #expect((router.backend as? MemoryBackend)?.requestedPeriods == (isAllowed ? [512, 1_024] : []))
      #expect(router.state.server.period == (isAllowed ? 512 : 256))
    }
    #expect(log.take().filter { $0.address == "/event/error" }.count == (isAllowed ? 1 : 0))
    router.executor.stop()
  }

  @Test("A sync that nothing will adopt any more, because the server is gone, is refused and not answered")
  func lostSync() async throws {
    let sent = Mutex<[OSCPacket]>([])
    let router = Router(
      Router.Settings(version: "0", address: "memory", epoch: 1), backend: MemoryBackend(Show.devices),
      send: { datagram in sent.withLock { $0.append(datagram.packet) } })
    let peer = try #require(PeerAddress(host: "127.0.0.1", port: 9_000))
    await router.perform { router in
      router.join()
      // No audio thread adopts anything in memory.
      router.receive(.message(OSCMessage("/sync", [.int32(1)])), from: peer)
      router.receive(.message(OSCMessage("/request", [.int32(7), .string("/sync"), .int32(2)])), from: peer)
      sent.withLock { #expect($0.isEmpty) }
      (router.backend as? MemoryBackend)?.die()
      router.heed(router.backend.takeNotices())
    }
    let messages = sent.withLock { $0.flatMap(\.messages) }
    #expect(messages.map(\.address) == ["/error", "/response"])
    #expect(messages[0].arguments.prefix(3) == [.string("/sync"), .int32(1_836_282_486), .string("msrv")])
    #expect(
      messages[1].arguments.prefix(4) == [
        .int32(7), .int32(1_836_282_486), .string("/sync"), .string("msrv"),
      ])
    router.executor.stop()
  }

  @Test("A port that the server refuses is told, and the rest of the mix goes on")
  func refusedPort() async throws {
    let log = Log()
    let backend = MemoryBackend(Show.devices)
    backend.refusedPorts = ["to-usb_3"]
    let router = router(backend, log)
    await router.perform { $0.join() }
    let errors = log.take().filter { $0.address == "/event/error" }
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { "\($0)".contains("to-usb_3") })
    let connected = await router.perform { $0.backend.connections(of: "USB:playback_1") }
    #expect(connected == ["multiroute:to-usb_1"])
    router.executor.stop()
  }

  @Test(
    "What an earlier run took is given back, at the server that it was taken at",
    arguments: ["memory", "other"])
  func owed(server: String) async throws {
    let log = Log()
    let backend = MemoryBackend(Show.devices + Show.program("Band", 2))
    let link = Link(source: "Band:out_1", sink: "USB:playback_1")
    let router = router(backend, log, owed: TakenCables(server: server, links: [link]))
    #expect(await router.owed?.links == [link])
    await router.perform { router in
      router.join()
      #expect(router.backend.connections(of: link.source) == (server == "memory" ? [link.sink] : []))
      #expect(router.owed == nil)
    }
    router.executor.stop()
  }

  @Test("The end gives back what exclusive streams took, and leaves the server")
  func stop() async throws {
    let log = Log()
    let backend = MemoryBackend(Show.devices + Show.program("Band", 2))
    backend.cable("Band:out_1", "USB:playback_1")
    let router = router(backend, log)
    await router.perform { router in
      router.join()
      for event in Show.session + [.stream("show", "band", .exclusive(true))] { router.happen(event) }
      #expect(router.backend.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    }
    await router.stop()
    #expect(await router.snapshot.isPanicking)
    router.executor.stop()
  }
}

extension Router {
  /// Joins the server that there is.
  fileprivate func join() {
    seekServer()
    followSearch()
  }

  /// Does something on the actor.
  fileprivate func perform<Result: Sendable, Failure: Error>(
    _ work: @Sendable (isolated Router) throws(Failure) -> Result
  ) throws(Failure) -> Result { try work(self) }
}
