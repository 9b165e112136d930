import ControlInterface
import MixKernel
import OSC
import OSCSurface
import Presets
import ServerInterface
import SessionModel
import Synchronization
import Testing

@testable import Router

/// The router's actor, with an audio server in memory.
@Suite struct RouterActorTests {
  private func router(
    _ server: MemoryServer, _ log: EventCollector, owed: TakenConnections? = nil
  ) -> Router {
    var settings = Router.Settings()
    settings.owed = owed
    return Router(settings, server: server, listeners: [log], isInline: true)
  }

  @Test(
    "A new device with outputs and inputs changes the route once, and the last of several counts as plugged in last"
  )
  func foundTogether() async {
    let log = EventCollector()
    let server = MemoryServer(Show.device("Mic", capture: 1))
    let router = router(server, log)
    await router.perform { router in
      router.join()
      router.happen(.createSession("talk", SessionConfiguration(category: .playAndRecord)))
      router.happen(.activate("talk"))
      server.plug(
        Show.device("First", playback: 2, capture: 2) + Show.device("Second", playback: 2, capture: 2))
      _ = log.take()
      router.tick()
      router.connection?.settling = PortSettling()
      router.wire()
    }
    let told = log.take().filter { $0.address == "/event/route" }.map { Array($0.arguments.suffix(2)) }
    #expect(told == [[.string("in:mic out:none"), .string("in:second out:second")]])
    #expect(await router.snapshot.inputs["mic"]?.latency == 128.0 / 48_000)
  }

  @Test(
    "A server that dies while the router joins it leaves no audio thread behind, and is found when it returns"
  )
  func diesWhileOpening() async {
    let log = EventCollector()
    let server = MemoryServer(Show.devices)
    let router = router(server, log)
    await router.perform { router in
      server.dieWhileOpening(true)
      router.join()
      #expect(!server.isRunning && router.isLost && router.missing == .refused("the server is gone"))
      server.dieWhileOpening(false)
      router.followSearch()
      #expect(server.isRunning)
    }
    #expect(await router.snapshot.outputs.keys == ["usb", "headphones"])
    await router.stop()
    router.executor.stop()
  }

  @Test(
    "Devices without an entry in the preset are announced once when the server appears, and once when it goes"
  )
  func lifecycle() async throws {
    let log = EventCollector()
    let server = MemoryServer(Show.devices)
    let router = router(server, log)
    await router.perform { $0.join() }
    #expect(await router.snapshot.outputs.keys == ["usb", "headphones"])
    #expect(await router.snapshot.inputs.keys == ["mic"])
    #expect(
      log.take().map(\.address) == [
        "/event/media", "/event/report", "/event/port", "/event/port", "/event/port",
      ])
    await router.perform { router in
      server.die()
      router.observe(server.takeNotices())
    }
    #expect(await !router.snapshot.server.isRunning)
    let told = log.take()
    #expect(told.first?.arguments.last == .string("lost"))
    #expect(told.filter { $0.address == "/event/port" }.count == 3)
    // At first there is no server.
    await router.perform { $0.followSearch() }
    #expect(await !router.snapshot.server.isRunning)
    #expect(await router.missing == .noServer("gone"))
    await router.perform { router in
      server.refuse(with: nil)
      server.others = Show.devices
      router.followSearch()
    }
    #expect(await router.snapshot.server.isRunning)
    #expect(await router.missing == nil)
    #expect(log.take().first?.arguments.last == .string("reset"))
    router.executor.stop()
  }

  @Test(
    "The router asks the server once for the period that sessions prefer, if that is allowed, and publishes the result",
    arguments: [false, true])
  func period(isAllowed: Bool) async throws {
    let log = EventCollector()
    var settings = Router.Settings()
    settings.allowsPeriodChange = isAllowed
    let server = MemoryServer(Show.devices)
    let router = Router(settings, server: server, listeners: [log], isInline: true)
    await router.perform { router in
      router.join()
      router.state.preferredPeriod = 512
      // The router checks the preferred period after any event.
      for _ in 0..<2 { router.happen(.router(.panic(false))) }
      router.observe(server.takeNotices())
      let asked = server.requestedPeriods
      #expect(asked == (isAllowed ? [512] : []))
      #expect(router.state.server.period == (isAllowed ? 512 : 256))
      // The server already has this period, so the router does not ask.
      router.state.preferredPeriod = router.state.server.period
      router.happen(.router(.panic(false)))
      #expect(server.requestedPeriods == asked)
      // The router asks a server that refuses only once, and the present period stays.
      server.refuse(with: .refused("no"))
      router.state.preferredPeriod = 1_024
      for _ in 0..<2 { router.happen(.router(.panic(false))) }
      #expect(server.requestedPeriods == (isAllowed ? [512, 1_024] : []))
      #expect(router.state.server.period == (isAllowed ? 512 : 256))
    }
    #expect(log.take().filter { $0.address == "/event/error" }.count == (isAllowed ? 1 : 0))
    router.executor.stop()
  }

  /// Notes the period that the router knows when it decides.
  private struct PeriodQuestion: ControlCommand {
    var period: Int?

    mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]? {
      period = state.server.period
      return nil
    }

    func answer(
      _ state: RouterState, at time: Double, statistics: () -> [Statistic]
    ) -> [PendingAnswer] { [] }
  }

  @Test("A command knows what the server told before it, also if that has not woken the router")
  func newestFacts() async {
    let server = MemoryServer(Show.devices)
    let router = router(server, EventCollector())
    await router.perform { router in
      router.join()
      server.tell(.periodChanged(64))
      var question = PeriodQuestion()
      router.carryOut(&question)
      #expect(question.period == 64)
    }
    router.executor.stop()
  }

  @Test("The parts of the router start in order and stop in the reverse order; a second stop does nothing")
  func parts() async {
    let server = MemoryServer(Show.devices)
    let router = router(server, EventCollector())
    await router.perform { router in
      router.start()
      // A server in memory wakes no thread.
      router.tick()
    }
    #expect(server.isRunning)
    await router.stop()
    #expect(!server.isRunning)
    #expect(await router.isLost)
    await router.stop()
    router.executor.stop()
  }

  @Test(
    "If the server goes before the audio thread adopts a plan, a sync that waits for the plan gets an error")
  func lostSync() async throws {
    let sent = Mutex<[OSCPacket]>([])
    let server = MemoryServer(Show.devices)
    let router = Router(
      Router.Settings(), server: server,
      listeners: [SurfaceService { packet in sent.withLock { $0.append(packet) } }], isInline: true)
    let peer = Peer.local(9_000)
    await router.perform { router in
      router.join()
      // The server in memory has no audio thread, so nothing adopts the plan.
      router.receive(.message(OSCMessage("/sync", [.int32(1)])), from: peer)
      router.receive(.message(OSCMessage("/request", [.int32(7), .string("/sync"), .int32(2)])), from: peer)
      sent.withLock { #expect($0.isEmpty) }
      server.die()
      router.observe(server.takeNotices())
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

  @Test("If the server refuses a port, listeners get an error, and the rest of the mix goes on")
  func refusedPort() async throws {
    let log = EventCollector()
    let server = MemoryServer(Show.devices)
    server.refuse(ports: ["to-usb_3"])
    let router = router(server, log)
    await router.perform { $0.join() }
    let errors = log.take().filter { $0.address == "/event/error" }
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { "\($0)".contains("to-usb_3") })
    #expect(server.connections(of: "USB:playback_1") == ["multiroute:to-usb_1"])
    router.executor.stop()
  }

  @Test(
    "The router gives back connections that an earlier run took away, but only at the same server",
    arguments: ["memory", "other"])
  func owed(server: String) async throws {
    let log = EventCollector()
    let memory = MemoryServer(Show.devices + Show.program("Band", 2))
    let link = Link(source: "Band:out_1", sink: "USB:playback_1")
    let taken = TakenConnections(server: server, connections: [.init(source: link.source, sink: link.sink)])
    let router = router(memory, log, owed: taken)
    #expect(await router.owed == taken)
    await router.perform { router in
      router.join()
      #expect(memory.connections(of: link.source) == (server == "memory" ? [link.sink] : []))
      #expect(router.owed == nil)
    }
    router.executor.stop()
  }

  @Test("A router that stops takes no connection away, even if the server reports new ones")
  func takesNothingAtTheEnd() async {
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = router(server, EventCollector())
    await router.perform { router in
      router.join()
      for event in Show.session + [.stream("show", "band", .exclusive(true))] { router.happen(event) }
      for isStopping in [false, true] {
        router.departure = isStopping ? .stopping : .none
        server.connectByHand("Band:out_1", to: "USB:playback_1")
        router.handOver(looking: true)
        router.followGraph()
        #expect(server.connections(of: "Band:out_1").contains("USB:playback_1") == isStopping)
      }
    }
    router.executor.stop()
  }

  @Test("A router that stops gives back the connections of exclusive streams' sources, and leaves the server")
  func stop() async throws {
    let log = EventCollector()
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    server.connectByHand("Band:out_1", to: "USB:playback_1")
    let router = router(server, log)
    await router.perform { router in
      router.join()
      for event in Show.session + [.stream("show", "band", .exclusive(true))] { router.happen(event) }
      #expect(server.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    }
    await router.stop()
    #expect(await router.isStopping)
    router.executor.stop()
  }

  @Test("The state counts the ports that the router has at the server")
  func portCount() async {
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      router.happen(.createSession("phone", SessionConfiguration(category: .playAndRecord)))
      router.happen(.session("phone", .captureChannels(2)))
      router.tick()
      let count = router.state.ownPortCount
      #expect(count == router.connection?.book.list.count && count > 10)
      #expect(router.state.freePortCount == nil)
    }
    router.executor.stop()
  }
}
