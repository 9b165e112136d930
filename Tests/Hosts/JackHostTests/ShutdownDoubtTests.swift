import Testing

@testable import JackClient

@Suite("A notice that PipeWire has shut down")
struct ShutdownDoubtTests {
  /// A notice after ten periods of 1 ms, at 5 s.
  private let doubt = ShutdownDoubt(reason: "gone", cycles: 10, time: 5_000_000, period: 1_000)

  @Test("is untrue once the server has called twice more")
  func untrue() {
    #expect(doubt.verdict(cycles: 10, time: 5_001_000) == .open)
    // This period may have begun before the error.
    #expect(doubt.verdict(cycles: 11, time: 5_001_000) == .open)
    #expect(doubt.verdict(cycles: 12, time: 5_002_000) == .untrue)
    #expect(doubt.verdict(cycles: 900, time: 5_900_000) == .untrue)
  }

  @Test("is true if the server does not call any more: for 50 ms, and for four periods")
  func confirmed() {
    #expect(doubt.verdict(cycles: 11, time: 5_049_999) == .open)
    #expect(doubt.verdict(cycles: 11, time: 5_050_000) == .confirmed)
    let long = ShutdownDoubt(reason: "gone", cycles: 0, time: 0, period: 170_000)
    #expect(long.verdict(cycles: 0, time: 679_999) == .open)
    #expect(long.verdict(cycles: 0, time: 680_000) == .confirmed)
  }
}
