import Testing

@testable import JackClient

@Suite("A notice that PipeWire has shut down")
struct ShutdownDoubtTests {
  /// A notice after ten periods of 1 ms, at 5 s.
  private let doubt = ShutdownDoubt(reason: "gone", cycles: 10, time: 5_000_000, period: 1_000)

  @Test("is untrue once the server has called twice more")
  func untrue() {
    #expect(doubt.verdict(cycles: 10, time: 5_001_000, isConnected: true) == .open)
    // This period may have begun before the error.
    #expect(doubt.verdict(cycles: 11, time: 5_001_000, isConnected: true) == .open)
    #expect(doubt.verdict(cycles: 12, time: 5_002_000, isConnected: true) == .untrue)
    #expect(doubt.verdict(cycles: 900, time: 5_900_000, isConnected: true) == .untrue)
  }

  @Test("is true if the server does not call any more: for 50 ms, and for four periods")
  func confirmed() {
    #expect(doubt.verdict(cycles: 11, time: 5_049_999, isConnected: true) == .open)
    #expect(doubt.verdict(cycles: 11, time: 5_050_000, isConnected: true) == .confirmed)
    let long = ShutdownDoubt(reason: "gone", cycles: 0, time: 0, period: 170_000)
    #expect(long.verdict(cycles: 0, time: 679_999, isConnected: true) == .open)
    #expect(long.verdict(cycles: 0, time: 680_000, isConnected: true) == .confirmed)
  }

  @Test("is true at once if the library's connection is closed")
  func closed() {
    #expect(doubt.verdict(cycles: 12, time: 5_000_000, isConnected: false) == .confirmed)
  }
}
