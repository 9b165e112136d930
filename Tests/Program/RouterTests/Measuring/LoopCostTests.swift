import AudioHost
import SessionModel
import Testing

@testable import Router

/// What the measurements cost a router that rests.
@Suite struct LoopCostTests {
  @Test("With a thousand sessions an update of what was measured takes no notable time, and is no event")
  func thousand() async {
    let log = EventCollector()
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.device("Mic", capture: 1)), listeners: [log],
      isInline: true)
    let seconds = await router.perform { router in
      router.join()
      for number in 0..<RouterState.maximumSessions {
        router.happen(.createSession(SessionID(slugging: "s\(number)"), SessionConfiguration()))
      }
      _ = log.take()
      let start = ContinuousClock.now
      for round in 0..<100 { router.updateLoop(at: Double(round)) }
      let passed = ContinuousClock.now - start
      return Double(passed.components.attoseconds) * 1e-18 + Double(passed.components.seconds)
    }
    #expect(seconds / 100 < 0.002, "\(seconds / 100) s")
    #expect(log.take().isEmpty)
  }
}
