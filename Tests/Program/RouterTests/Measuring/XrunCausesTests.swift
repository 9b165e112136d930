import SessionModel
import Testing

@testable import Router

/// What caused the overruns that the server tells of.
@Suite struct XrunCausesTests {
  @Test("An overrun has the cause of the flight record of the same moment, whichever comes first")
  func order() {
    var causes = XrunCauses()
    causes.note(at: 10)
    causes.note(at: 10.1)
    causes.settle(at: 10.2)
    #expect(causes.counts.isEmpty)
    causes.conclude(.machine, at: 10.3)
    #expect(causes.counts == [.machine: 2])
    causes.note(at: 10.4)
    #expect(causes.counts == [.machine: 3])
    causes.conclude(.own, at: 20)
    #expect(causes.counts == [.machine: 3])
    causes.note(at: 20.2)
    #expect(causes.counts == [.machine: 3, .own: 1])
  }

  @Test("An overrun without a flight record is the server's: the router was neither late nor slow")
  func server() {
    var causes = XrunCauses()
    causes.conclude(.own, at: 1)
    causes.note(at: 10)
    causes.note(at: 10.9)
    causes.settle(at: 10.95)
    #expect(causes.counts.isEmpty)
    causes.settle(at: 11)
    #expect(causes.counts == [.server: 2])
    causes.settle(at: 12)
    #expect(causes.counts == [.server: 2])
  }

  @Test(
    "What waits when the server goes is the server's, and the next server's overruns have causes of their own"
  )
  func end() {
    var causes = XrunCauses()
    causes.conclude(.own, at: 9.4)
    causes.note(at: 10)
    causes.end()
    causes.note(at: 10.01)
    #expect(causes.counts == [.server: 1])
    causes.conclude(.machine, at: 10.1)
    #expect(causes.counts == [.server: 1, .machine: 1])
  }
}
