import Foundation
import SoundConversion
import Testing

/// Loudness and true peak against the test signals of EBU Tech 3341.
@Suite struct LoudnessMeterTests {
  private static let rate = 48_000

  /// A tone of 1 kHz, as interleaved frames with a level in dBFS for each channel.
  private func tone(_ seconds: Double, _ levels: [Double]) -> [Float] {
    let amplitudes = levels.map { Float(pow(10, $0 / 20)) }
    return (0..<Int(seconds * Double(Self.rate))).flatMap { frame in
      let sine = Float(sin(2 * .pi * 1_000 * Double(frame) / Double(Self.rate)))
      return amplitudes.map { $0 * sine }
    }
  }

  private func meter(
    _ sound: [Float], channels: Int = 2, _ measures: LoudnessMeter.Measures = [.live, .integrated]
  ) throws -> LoudnessMeter {
    let meter = try LoudnessMeter(channels: channels, sampleRate: Self.rate, measures: measures)
    sound.withUnsafeBufferPointer { samples in
      var begin = 0
      // As the meters' thread gets them.
      while begin < sound.count / channels, let first = samples.baseAddress {
        let count = min(480, sound.count / channels - begin)
        meter.add(first + begin * channels, frames: count)
        begin += count
      }
    }
    return meter
  }

  @Test(
    "Cases 1 and 2: momentary, short-term and integrated loudness of a steady tone", arguments: [-23.0, -33])
  func steady(level: Double) throws {
    let meter = try meter(tone(20, [level, level]))
    for loudness in [meter.momentary, meter.shortTerm, meter.loudness] {
      #expect(abs(try #require(loudness) - level) <= 0.1)
    }
  }

  @Test("Cases 3 to 5: the gate leaves out what is quiet")
  func gated() throws {
    for tones in [
      [(10.0, -36.0), (60, -23), (10, -36)], [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)],
      [(20, -26), (20.1, -20), (20, -26)],
    ] {
      let meter = try meter(tones.flatMap { tone($0.0, [$0.1, $0.1]) })
      #expect(abs(try #require(meter.loudness) + 23) <= 0.1, "\(tones)")
    }
  }

  @Test("Case 6: five channels count with their weights")
  func surround() throws {
    let meter = try meter(tone(20, [-28, -28, -24, -30, -30]), channels: 5)
    #expect(abs(try #require(meter.loudness) + 23) <= 0.1)
  }

  @Test("After a tone the momentary loudness falls within 0.4 s, the short-term one within 3 s")
  func windows() throws {
    let sound = tone(5, [-23, -23])
    #expect(try meter(sound + tone(0.5, [-140, -140])).momentary.map { $0 < -70 } ?? true)
    let short = try meter(sound + tone(1.5, [-140, -140])).shortTerm
    #expect(abs(try #require(short) + 26) <= 0.1)
    #expect(try meter(sound + tone(3.1, [-140, -140])).shortTerm.map { $0 < -70 } ?? true)
    #expect(try meter(tone(1, [-140, -140])).loudness == nil)
  }

  @Test(
    "Cases 15 to 19: the true peak of a sine lies between its samples",
    arguments: [
      (4.0, 0.0, 0.5, -6.0), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3),
    ])
  func truePeak(period: Double, phase: Double, amplitude: Double, level: Double) throws {
    // A slow beginning and end, as in the EBU's files: a sudden one has true peaks of its own.
    let count = 48_000
    let sound = (0..<count).flatMap { frame -> [Float] in
      let fade = min(1, Double(min(frame, count - frame)) / 4_800)
      let sample = Float(fade * amplitude * sin(2 * .pi * Double(frame) / period + phase * .pi / 180))
      return [sample, sample / 2]
    }
    let meter = try meter(sound, [.truePeak])
    let peaks = [0, 1].map { 20 * log10(meter.truePeak(ofChannel: $0)) }
    #expect((level - 0.4...level + 0.2).contains(peaks[0]), "\(peaks)")
    #expect(abs(peaks[0] - peaks[1] - 6.02) < 0.05)
    // The end was quiet.
    #expect(meter.lastTruePeak(ofChannel: 0) < 0.2 * amplitude)
  }
}
