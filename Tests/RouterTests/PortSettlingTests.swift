import Testing

@testable import Router

/// A device whose ports come one by one is looked at once, when it is whole.
@Suite struct PortSettlingTests {
  /// The moments, of some in seconds, at which ports are looked at that change at others.
  private func looks(at moments: [Double], changes: Set<Double>) -> [Double] {
    var settling = PortSettling()
    return moments.filter { moment in
      if changes.contains(moment) { settling.note(at: moment) }
      return settling.isOver(at: moment)
    }
  }

  @Test("Nothing is looked at while nothing changes")
  func calm() { #expect(looks(at: [1, 2, 3], changes: []).isEmpty) }

  @Test("Ports that follow each other closely are one change, which is looked at once")
  func together() {
    #expect(looks(at: [1, 1.008, 1.016, 1.02, 1.04, 1.05], changes: [1, 1.008, 1.016]) == [1.04])
  }

  @Test("A change counts until it was looked at")
  func pending() {
    var settling = PortSettling()
    #expect(!settling.isPending)
    settling.note(at: 1)
    #expect(settling.isPending)
    _ = settling.isOver(at: 2)
    #expect(!settling.isPending)
  }

  @Test("Ports that never rest are looked at all the same")
  func restless() {
    let moments = (0..<100).map { Double($0) / 128 }
    #expect(looks(at: moments, changes: Set(moments)) == stride(from: 8, to: 100, by: 9).map { moments[$0] })
  }
}
