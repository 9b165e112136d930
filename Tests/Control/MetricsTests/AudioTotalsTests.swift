import ControlInterface
import MixEngine
import Testing

@Suite struct AudioTotalsTests {
  private func record(periods: Int, sinks: Int, longest: Int) -> TelemetryRecord {
    var record = TelemetryRecord()
    (record.periods, record.sinksNanoseconds, record.longestNanoseconds) = (periods, sinks, longest)
    return record
  }

  @Test("Two periods of one record are told apart, because the longest one and the sum are known")
  func two() {
    var totals = AudioTotals()
    // 480 frames at 48 kHz are two periods of 5 ms, which took 3.5 and 0.5 ms.
    totals.add(record(periods: 2, sinks: 4_000_000, longest: 3_500_000), frames: 480, rate: 48_000)
    #expect(totals.durations.counts == [0, 1, 0, 0, 0, 1, 0, 0, 0])
    #expect(abs(totals.durations.sum - 0.8) < 1e-9)
    #expect((totals.periods, totals.frames, totals.sinks) == (2, 480, 4_000_000))
  }

  @Test("Counts of several records add up, and a record without frames changes no histogram")
  func sum() {
    var totals = AudioTotals()
    for _ in 0..<3 { totals.add(record(periods: 1, sinks: 50, longest: 50), frames: 1_024, rate: 48_000) }
    totals.add(record(periods: 1, sinks: 50, longest: 50), frames: 0, rate: 48_000)
    #expect((totals.periods, totals.frames, totals.sinks, totals.durations.count) == (4, 3_072, 200, 3))
  }
}
