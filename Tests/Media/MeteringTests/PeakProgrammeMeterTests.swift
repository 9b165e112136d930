import Foundation
import Metering
import Testing

/// The PPM against the figures of IEC 60268-10 for type IIa.
@Suite struct PeakProgrammeMeterTests {
  /// What a meter shows of a tone burst at full scale, in dB, as a 1 kHz tone of the same peak shows 0.
  private func reading(of seconds: Double, _ frequency: Double, rate: Double) -> Double {
    var (meter, highest) = (PeakProgrammeMeter(sampleRate: rate), Float(0))
    for frame in 0..<Int((seconds * rate).rounded()) {
      var sample = Float(sin(2 * .pi * frequency * Double(frame) / rate))
      meter.add(&sample, frames: 1, stride: 1)
      highest = max(highest, meter.level)
    }
    return 20 * log10(Double(highest))
  }

  @Test("A steady sine reads its peak", arguments: [44_100.0, 48_000, 96_000], [40.0, 1_000, 5_000, 15_000])
  func steady(rate: Double, frequency: Double) {
    #expect(abs(reading(of: 1, frequency, rate: rate)) < 0.1)
  }

  @Test(
    "Bursts of 5 kHz read less, the shorter they are, within the standard's limits",
    arguments: [44_100.0, 48_000, 96_000],
    [(100.0, 0.0, 0.5), (10, -2, 0.5), (5, -4, 0.75), (1.5, -9, 1), (0.5, -17, 2)])
  func bursts(rate: Double, burst: (milliseconds: Double, level: Double, limit: Double)) {
    let level = reading(of: burst.milliseconds / 1_000, 5_000, rate: rate)
    #expect(abs(level - burst.level) <= burst.limit, "\(level) dB")
  }

  @Test("The reading falls by 24 dB in 2.8 s", arguments: [44_100.0, 48_000, 96_000])
  func fall(rate: Double) {
    var meter = PeakProgrammeMeter(sampleRate: rate)
    var sine = (0..<Int(rate)).map { Float(sin(2 * .pi * 1_000 * Double($0) / rate)) }
    meter.add(&sine, frames: sine.count, stride: 1)
    let before = meter.level
    var frames = 0
    var silence = Float(0)
    while meter.level > before * Float(pow(10, -24.0 / 20)), frames < Int(4 * rate) {
      meter.add(&silence, frames: 1, stride: 1)
      frames += 1
    }
    #expect(abs(Double(frames) / rate - 2.8) < 0.05, "\(Double(frames) / rate) s")
  }

  @Test("Interleaved channels are measured apart, whatever the pieces")
  func channels() {
    let interleaved = (0..<9_600).flatMap { [Float(sin(Double($0) / 7)), Float(sin(Double($0) / 7)) / 4] }
    var (whole, pieces) = (PeakProgrammeMeter(sampleRate: 48_000), PeakProgrammeMeter(sampleRate: 48_000))
    var quiet = PeakProgrammeMeter(sampleRate: 48_000)
    interleaved.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      whole.add(first, frames: 9_600, stride: 2)
      quiet.add(first + 1, frames: 9_600, stride: 2)
      for begin in stride(from: 0, to: 9_600, by: 64) {
        pieces.add(first + 2 * begin, frames: min(64, 9_600 - begin), stride: 2)
      }
    }
    #expect(pieces.level == whole.level)
    #expect(abs(whole.level / quiet.level - 4) < 1e-4)
  }
}
