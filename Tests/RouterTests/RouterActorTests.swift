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

  private func router(_ backend: sending MemoryBackend, _ log: Log) -> Router {
    Router(
      Router.Settings(version: "0", address: "memory", epoch: 1), backend: backend, send: { _ in },
      record: { log.add($0) })
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

  @Test("Devices that nobody names are found when the server is, and lost when it goes, once each")
  func lifecycle() async throws {
    let log = Log()
    let router = router(MemoryBackend(Show.devices), log)
    try await router.perform { router throws(BackendError) in try router.open() }
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
    await router.perform {
      $0.nextAttempt = 0; $0.reopen()
    }
    #expect(await !router.snapshot.server.isRunning)
    await router.perform { router in
      guard let backend = router.backend as? MemoryBackend else { return }
      backend.refusal = nil
      backend.others = Show.devices
      router.nextAttempt = 0
      router.reopen()
    }
    #expect(await router.snapshot.server.isRunning)
    #expect(log.take().first?.arguments.last == .string("reset"))
    router.executor.stop()
  }

  @Test("A port that the server refuses is told, and the rest of the mix goes on")
  func refusedPort() async throws {
    let log = Log()
    let backend = MemoryBackend(Show.devices)
    backend.refusedPorts = ["to-usb_3"]
    let router = router(backend, log)
    try await router.perform { router throws(BackendError) in try router.open() }
    let errors = log.take().filter { $0.address == "/event/error" }
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { "\($0)".contains("to-usb_3") })
    let connected = await router.perform { $0.backend.connections(of: "USB:playback_1") }
    #expect(connected == ["multiroute:to-usb_1"])
    router.executor.stop()
  }

  @Test("The end gives back what exclusive streams took, and leaves the server")
  func stop() async throws {
    let log = Log()
    let backend = MemoryBackend(Show.devices + Show.program("Band", 2))
    backend.cable("Band:out_1", "USB:playback_1")
    let router = router(backend, log)
    try await router.perform { router throws(BackendError) in
      try router.open()
      for event in Show.session + [.stream("show", "band", .exclusive(true))] { router.happen(event) }
      #expect(router.backend.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    }
    await router.stop()
    #expect(await router.snapshot.isPanicking)
    router.executor.stop()
  }
}

extension Router {
  /// Does something on the actor.
  fileprivate func perform<Result: Sendable, Failure: Error>(
    _ work: @Sendable (isolated Router) throws(Failure) -> Result
  ) throws(Failure) -> Result { try work(self) }
}
