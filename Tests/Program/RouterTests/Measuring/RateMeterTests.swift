import Testing

@testable import Router

/// The rate of a server, from the times at which its periods began.
@Suite struct RateMeterTests {
  /// A server in memory: its clock runs by a ratio, and its periods begin a little late.
  private struct Server {
    var (frames, time, ratio) = (0.0, 100.0, 1.0)
    /// The greatest lateness in seconds, and a sequence of latenesses.
    var jitter = 0.002
    private var step = 0

    mutating func run(_ seconds: Double, into meter: inout RateMeter) {
      let end = time + seconds
      while time < end {
        step += 1
        // A sequence without a period, between 0 and 1.
        let late = (Double(step) * 0.618_034).truncatingRemainder(dividingBy: 1) * jitter
        meter.note(frames: frames, time: time + late)
        frames += 256
        time += 256 / (48_000 * ratio)
      }
    }
  }

  private func deviation(_ meter: RateMeter, from ratio: Double) throws -> Double {
    let rate = try #require(meter.rate)
    return rate / (48_000 * ratio) - 1
  }

  @Test(
    "A rate near the nominal one is known within 5 ppm after 10 s, and any within 5 ppm after 20 s, although periods begin up to 2 ms late",
    arguments: [
      1.0, 1.000_1, 0.999_8, 1.01, 0.99,
    ])
  func rate(ratio: Double) throws {
    var (meter, server) = (RateMeter(nominal: 48_000), Server())
    server.ratio = ratio
    server.run(3, into: &meter)
    #expect(meter.rate == nil)
    server.run(9, into: &meter)
    #expect(abs(try deviation(meter, from: ratio)) < (abs(ratio - 1) < 1e-3 ? 5e-6 : 1e-4))
    server.run(10, into: &meter)
    #expect(abs(try deviation(meter, from: ratio)) < 5e-6)
  }

  @Test(
    "A jump of the clock, of the frames or of both does not count as a deviation",
    arguments: [(60.0, 0.0), (0.3, 0.0), (0.0, 48_000.0), (0.5, 1_024.0), (-0.2, 0.0)])
  func jumps(time: Double, frames: Double) throws {
    var (meter, server) = (RateMeter(nominal: 48_000), Server())
    server.ratio = 1.000_05
    server.run(12, into: &meter)
    server.time += time
    server.frames += frames
    for _ in 0..<40 {
      server.run(0.5, into: &meter)
      if meter.rate != nil { #expect(abs(try deviation(meter, from: 1.000_05)) < 1e-5) }
    }
    #expect(meter.rate != nil)
  }

  @Test("A lost period that the server tells of is skipped; one that is not told would count")
  func lost() throws {
    for isTold in [true, false] {
      var (meter, server) = (RateMeter(nominal: 48_000), Server())
      server.run(6, into: &meter)
      server.frames -= 256
      if isTold { meter.skip() }
      server.run(4.5, into: &meter)
      #expect((abs(try deviation(meter, from: 1)) < 1e-5) == isTold)
    }
  }

  @Test("When the server's clock changes, its new rate is known 10 s later")
  func change() throws {
    var (meter, server) = (RateMeter(nominal: 48_000), Server())
    server.run(12, into: &meter)
    server.ratio = 0.92
    server.run(12, into: &meter)
    #expect(meter.rate.map { abs($0 / (48_000 * 0.92) - 1) < 1e-4 } ?? true)
  }
}
