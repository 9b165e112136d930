import Testing

@testable import Voice

@Suite("When the worker of a voice looks for samples")
struct VoicePaceTests {
  /// Ten seconds of a worker that looks for samples of an audio thread.
  ///
  /// - Parameter lateness: seconds by which every third period comes late.
  /// - Returns: the number of looks, and the longest time between a complete block and the look that finds it, in seconds.
  private func looks(rate: Int, period: Int, lateness: Double) -> (count: Int, longest: Double) {
    let block = rate / 100
    var pace = VoicePace(rate: rate, period: period, block: block)
    /// The time at which a number of periods has been written.
    func time(of periods: Int) -> Double {
      Double(periods * period) / Double(rate) + (periods.isMultiple(of: 3) ? lateness : 0)
    }
    var (now, count, longest, periods, taken) = (0.000_3, 0, 0.0, 0, 0)
    while now < 10 {
      count += 1
      while time(of: periods + 1) <= now { periods += 1 }
      while periods * period - taken >= block {
        taken += block
        longest = max(longest, now - time(of: (taken + period - 1) / period))
      }
      // A look comes a little later than it is wanted.
      now +=
        Double(pace.pause(written: periods * period, waiting: periods * period - taken)) / 1_000 + 0.000_06
    }
    return (count, longest)
  }

  @Test(
    "A complete block is found within two milliseconds, also among periods that come late",
    arguments: [(48_000, 16), (48_000, 64), (48_000, 256), (44_100, 128), (48_000, 1_024), (16_000, 8_192)],
    [0, 0.001])
  func lateness(server: (rate: Int, period: Int), lateness: Double) {
    #expect(looks(rate: server.rate, period: server.period, lateness: lateness).longest < 0.002)
  }

  @Test("The worker looks at most five times for each block", arguments: [16, 32, 64, 128, 256, 512])
  func looks(period: Int) {
    #expect(looks(rate: 48_000, period: period, lateness: 0).count <= 5 * 1_000)
  }
}
