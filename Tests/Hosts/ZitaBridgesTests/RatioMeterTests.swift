import Testing

@testable import ZitaBridges

/// The resampling ratio in the output of a bridge program.
@Suite struct RatioMeterTests {
  @Test(
    "The ratio is read from the lines of all tools",
    arguments: [
      (" 47 -107.462  0.999934      189", 0.999934), ("   0.213   1.000100", 1.000100),
      ("  -0.5  1.000012    12", 1.000012), (" 46   28.350  1.005815 -173", 1.005815),
    ])
  func lines(line: String, ratio: Double) { #expect(RatioMeter.ratio(in: line) == ratio) }

  @Test(
    "Other lines have no ratio",
    arguments: [
      "", "From 127.0.0.1 : 2 chan, 48000 Hz", "Waiting for 10.0 seconds...", "Resampler filter delay is 48.",
      "1.000100", "Can't open ALSA playback device 'hw:USB'.", "1 2 3 4", "0.000001 1.000000",
      " 47 -107.462  0.999934  189 7", " 46   28.350  9.999999 -173", "1 nan", "1.0000 2.00000000",
    ])
  func others(line: String) { #expect(RatioMeter.ratio(in: line) == nil) }

  @Test(
    "The drift is the median of 10 s, so that a moment without a processor does not count; then it is unknown"
  )
  func drift() throws {
    var meter = RatioMeter()
    #expect(meter.drift(at: 0) == nil)
    for step in 0..<40 { meter.note(step == 7 ? 1.02 : 1.000_1, at: Double(step) / 4) }
    #expect(abs(try #require(meter.drift(at: 10)) - 1e-4) < 1e-9)
    #expect(meter.drift(at: 20) == nil)
  }
}
