import SessionModel
import Testing
import Threads

@testable import Router

/// The time of the passes of the threads that read and write files.
@Suite struct DiskMeterTests {
  @Test("The mean is that of the passes of the last second, and the longest stays until it is reset")
  func passes() {
    var meter = DiskMeter()
    #expect(meter.stage(at: 0) == LoopFacts.Stage())
    for half in 0...20 {
      // A hundred passes a second of 2 ms each; from 9 s on, of 4 ms.
      let (before, after) = (min(half, 18), max(0, half - 18))
      meter.note(
        PassTimes(count: 50 * half, seconds: 0.1 * Double(before) + 0.2 * Double(after)),
        longest: half == 4 ? 0.7 : 0.01, at: Double(half) / 2)
    }
    let stage = meter.stage(at: 10)
    #expect(abs(stage.mean - 0.004) < 1e-9 && stage.worst == 0.7 && abs(stage.total - 2.2) < 1e-9)
    meter.resetWorst()
    #expect(meter.stage(at: 10).worst == 0)
    // Threads that sleep take no time.
    for half in 21...24 {
      meter.note(PassTimes(count: 1_000, seconds: 2.2), longest: 0, at: Double(half) / 2)
    }
    #expect(meter.stage(at: 12).mean == 0 && abs(meter.stage(at: 12).total - 2.2) < 1e-9)
  }
}
