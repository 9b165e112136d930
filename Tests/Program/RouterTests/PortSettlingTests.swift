import Testing

@testable import Router

/// The router must react once to a device whose ports appear one by one, when all are there.
@Suite struct PortSettlingTests {
  /// The moments at which the router reacts, if ports change at the moments `changes`. All in seconds.
  private func reactions(at moments: [Double], changes: Set<Double>) -> [Double] {
    var settling = PortSettling()
    return moments.filter { moment in
      if changes.contains(moment) { settling.note(at: moment) }
      return settling.isOver(at: moment, isAnswered: true)
    }
  }

  @Test("Without a change there is no reaction")
  func calm() { #expect(reactions(at: [1, 2, 3], changes: []).isEmpty) }

  @Test("Changes that follow each other closely cause one reaction")
  func together() {
    #expect(reactions(at: [1, 1.008, 1.016, 1.02, 1.04, 1.05], changes: [1, 1.008, 1.016]) == [1.04])
  }

  @Test("A change waits until the router has reacted")
  func pending() {
    var settling = PortSettling()
    #expect(!settling.isPending)
    settling.note(at: 1)
    #expect(settling.isPending)
    _ = settling.isOver(at: 2, isAnswered: true)
    #expect(!settling.isPending)
  }

  @Test("While a report of the ports is due, the router waits for it, but not without end")
  func unanswered() {
    var settling = PortSettling()
    settling.note(at: 1)
    let (early, late) = (settling.due(isAnswered: true), settling.due(isAnswered: false))
    #expect(early == 1.02 && late == 1.1)
    let isOver = settling.isOver(at: 1.05, isAnswered: false)
    #expect(!isOver && settling.isPending)
    let isOverAtLast = settling.isOver(at: 1.1, isAnswered: false)
    #expect(isOverAtLast)
  }

  @Test("Ports that change without pause still cause reactions")
  func restless() {
    let moments = (0..<100).map { Double($0) / 128 }
    #expect(
      reactions(at: moments, changes: Set(moments)) == stride(from: 13, to: 100, by: 14).map { moments[$0] })
  }
}
