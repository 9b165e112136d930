import ControlInterface
import OSC
import ServerInterface
import SessionModel
import Synchronization
import Testing

@testable import Router

/// Values that belong to one connection to a server, and must not reach the next connection.
@Suite struct ConnectionTests {
  private func settings(_ change: (inout Router.Settings) -> Void = { _ in }) -> Router.Settings {
    var settings = Router.Settings()
    change(&settings)
    return settings
  }

  @Test(
    "The router asks each new server for the period that sessions prefer, even if no session changes")
  func periodAfterRestart() async {
    let server = MemoryServer(Show.devices)
    let router = Router(
      settings { $0.allowsPeriodChange = true }, server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      router.happen(.session("show", .preferredPeriod(512 / 48_000)))
      #expect(server.requestedPeriods == [512])
      server.die()
      router.tick()
      let isLost = router.isLost
      #expect(isLost)
      server.refuse(with: nil)
      router.followSearch()
      // The session started by itself when the server appeared.
      #expect(router.state.sessions["show"]?.isActive == true && router.state.preferredPeriod == 512)
      #expect(server.requestedPeriods == [512, 512])
    }
    router.executor.stop()
  }

  @Test(
    "The router joins a server that changes its rate again, with an engine for that rate, and no session ends"
  )
  func rate() async throws {
    let log = EventCollector()
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = Router(
      settings(), server: server, listeners: [log], isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      #expect(router.connection?.mix.rate == 48_000)
      #expect(router.state.sessions["show"]?.isActive == true)
      let engine = router.engine
      _ = log.take()
      server.changeRate(to: 96_000)
      router.tick()
      router.tick()
      #expect(router.connection?.mix.rate == 96_000 && router.engine !== engine)
      #expect(router.state.server.rate == 96_000)
      #expect(router.state.sessions["show"]?.isActive == true)
      #expect(server.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    }
    #expect(!log.take().map(\.address).contains("/event/media"))
    router.executor.stop()
  }

  @Test("A server that changes its rate and is not found again counts as gone")
  func rateAndGone() async {
    let server = MemoryServer(Show.devices)
    let router = Router(settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      server.changeRate(to: 96_000)
      router.tick()
      #expect(router.state.server.isRunning)
      server.refuse(with: .noServer("gone"))
      router.tick()
      #expect(!router.state.server.isRunning && router.state.outputs["usb"]?.isAvailable == false)
    }
    router.executor.stop()
  }

  @Test("The router joins a server anew that throws it out, and no session ends")
  func thrownOut() async throws {
    let log = EventCollector()
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = Router(settings(), server: server, listeners: [log], isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      _ = log.take()
      server.tell(.thrownOut(reason: "gone"))
      router.tick()
      #expect(router.connection == nil && router.state.sessions["show"]?.isActive == true)
      router.tick()
      #expect(router.connection != nil && router.endOfRejoining == nil)
      #expect(router.state.sessions["show"]?.isActive == true)
      #expect(server.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    }
    let told = log.take()
    #expect(!told.map(\.address).contains("/event/media"))
    let sentence = "the audio server has thrown the router out, which joins it anew: gone"
    #expect(told.contains { $0.arguments.contains(.string(sentence)) }, "\(told)")
    router.executor.stop()
  }

  @Test("A server that throws the router out and does not answer within a second counts as gone")
  func thrownOutAndSilent() async throws {
    let server = MemoryServer(Show.devices)
    let router = Router(settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      server.tell(.thrownOut(reason: ""))
      router.tick()
      // The search has no result.
      _ = server.takeFinding()
      router.tick()
      #expect(router.state.server.isRunning && router.endOfRejoining != nil)
      router.between.left = router.now - 1
      router.tick()
      #expect(!router.state.server.isRunning && router.endOfRejoining == nil)
    }
    router.executor.stop()
  }

  @Test("While a source program is missing, the router asks for the graph only after a notice of the server")
  func missingSource() async {
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = Router(settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      #expect(router.state.sessions["show"]?.isConnected == true)
      server.unplug("Band")
      router.tick()
      router.connection?.settling = PortSettling()
      router.wire()
      #expect(router.connection?.watch.due != nil)
      let looks = server.looks
      for _ in 0..<100 { router.tick() }
      #expect(server.looks == looks)
      #expect(router.connection?.retry.due == nil)
      // The positive control: after a notice the router asks.
      server.tell(.connectionsChanged)
      router.tick()
      #expect(server.looks == looks + 1)
    }
    router.executor.stop()
  }

  @Test(
    "The router asks for a refused connection again after 0.1 s, and then after growing waits of up to 5 s")
  func retries() {
    var timer = RetryTimer()
    var (time, waits) = (100.0, [Double]())
    for _ in 0..<8 {
      timer.note(hasRefusals: true, at: time)
      guard let due = timer.due else { break }
      let isEarly = timer.isOver(at: due - 0.01)
      #expect(!isEarly)
      waits.append(due - time)
      time = due
      let isOver = timer.isOver(at: time)
      #expect(isOver)
    }
    let expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]
    #expect(waits.count == 8 && zip(waits, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(waits)")
    timer.note(hasRefusals: false, at: time)
    timer.note(hasRefusals: true, at: time)
    #expect(timer.due.map { abs($0 - time - 0.1) < 1e-9 } == true)
  }

  @Test(
    "While the server freewheels and has set connections aside, nothing is wired or told; afterwards all is done at once"
  )
  func freewheel() async {
    let log = EventCollector()
    let card = Show.device("system", playback: 2)
    let server = MemoryServer(Show.devices + card + Show.program("Band", 2))
    let router = Router(settings(), server: server, listeners: [log], isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      router.happen(.stream("show", "band", .route(try! StreamRoute("system"))))
      router.tick()
      let before = server.connections
      #expect(before.contains { $0[1] == "system:playback_1" })
      _ = log.take()
      server.freewheel(true)
      server.tell(.connectionsChanged)
      server.tell(.periodChanged(1_024))
      router.tick()
      #expect(router.state.server.isFreewheeling && router.state.server.period == 256)
      server.plug(Show.program("Click", 1))
      let looks = server.looks
      for _ in 0..<10 { router.tick() }
      #expect(server.looks == looks && !server.connections.contains { $0[1].hasPrefix("system:") })
      #expect(
        router.state.outputs["system"]?.isPresent == true && router.state.sessions["show"]?.isActive == true)
      server.freewheel(false)
      router.tick()
      router.tick()
      router.connection?.settling = PortSettling()
      router.wire()
      #expect(!router.state.server.isFreewheeling && router.state.server.period == 1_024)
      #expect(server.connections.isSuperset(of: before))
      #expect(server.connections(of: "Click:out_1") == ["multiroute:show.click_1"])
    }
    let told = log.take().map(\.address)
    #expect(!told.contains("/event/media") && !told.contains("/event/route"), "\(told)")
    router.executor.stop()
  }

  @Test("No answer waits for connections that a freewheeling server does not make; they are made afterwards")
  func requestBeforeFreewheel() async {
    let server = MemoryServer(Show.device("system", playback: 2) + Show.program("Band", 2))
    let router = Router(settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      router.tick()
      server.freewheel(true, isTold: false)
      server.plug(Show.program("Click", 1))
      router.tick()
      #expect(router.connection?.isAnswered == false)
      server.tell(.freewheel(true))
      router.tick()
      let isDone = router.isGraphDone
      #expect(isDone)
      server.freewheel(false)
      router.tick()
      #expect(router.connection?.isAnswered == true)
      #expect(server.connections(of: "Click:out_1") == ["multiroute:show.click_1"])
    }
    router.executor.stop()
  }

  @Test("An event that a listener raises while the router decides on connections takes effect at once")
  func eventWhileWiring() async {
    /// Sets another source during the decision.
    final class Hand: ControlListener, Sendable {
      let router = Mutex<Router?>(nil)
      let isArmed = Atomic<Bool>(false)
      func publish(_ change: Change) {
        guard isArmed.load(ordering: .relaxed), let router = router.withLock({ $0 }) else { return }
        router.assumeIsolated { router in
          guard router.connection?.isWiring == true else { return }
          isArmed.store(false, ordering: .relaxed)
          router.happen(.stream("show", "click", .sources([.ports(ProgramPorts("Other:*")!)])))
        }
      }
    }
    let hand = Hand()
    let server = MemoryServer(Show.devices + Show.program("Band", 2) + Show.program("Other", 1))
    let router = Router(
      settings(), server: server, listeners: [hand], isInline: true)
    hand.router.withLock { $0 = router }
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      #expect(server.connections(of: "Other:out_1").isEmpty)
      hand.isArmed.store(true, ordering: .relaxed)
      server.plug(Show.device("New", playback: 2))
      router.tick()
      router.connection?.settling = PortSettling()
      router.wire()
      let isRaised = !hand.isArmed.load(ordering: .relaxed)
      #expect(isRaised)
      #expect(server.connections(of: "Other:out_1") == ["multiroute:show.click_1"])
    }
    hand.router.withLock { $0 = nil }
    router.executor.stop()
  }
}
