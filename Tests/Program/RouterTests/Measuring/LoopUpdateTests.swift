import ServerInterface
import SessionModel
import Testing

@testable import Router

/// What is measured while nothing happens.
@Suite struct LoopUpdateTests {
  @Test("An update of what was measured is no event")
  func quiet() async {
    let log = EventCollector()
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.device("Mic", capture: 1)), listeners: [log],
      isInline: true)
    await router.perform { router in
      router.join()
      for number in 0..<20 {
        router.happen(.createSession(SessionID(slugging: "s\(number)"), SessionConfiguration()))
      }
      _ = log.take()
      for round in 0..<100 { router.updateLoop(at: Double(round)) }
    }
    #expect(log.take().isEmpty)
  }
}
