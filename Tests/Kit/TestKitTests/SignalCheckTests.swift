import Foundation
import StageKit
import TestKit
import Testing

/// The checks themselves: each one must find its fault, and nothing else.
@Suite struct SignalCheckTests {
  static let tone = (0..<96_000).map { Float(0.1 * sin(2 * Double.pi * 440 * Double($0) / 48_000)) }

  @Test("A pure tone has no click, and a step of half a decibel in it has one")
  func clicks() {
    #expect(SignalCheck.worstClick(Self.tone, besides: [440], sampleRate: 48_000).level < -100)
    let stepped = Self.tone.enumerated().map { $0.offset < 50_027 ? $0.element : $0.element * 0.944 }
    let click = SignalCheck.worstClick(stepped, besides: [440], sampleRate: 48_000)
    #expect(click.level > -60)
    #expect(abs(click.frame - 50_027) < 50)
  }

  @Test("A fade of 20 ms is not a click")
  func fades() {
    let faded = Self.tone.enumerated().map { index, sample in
      let position = min(1, max(0, Double(index - 50_000) / 960))
      return sample * Float(0.5 + 0.5 * cos(.pi * position))
    }
    #expect(SignalCheck.worstClick(faded, besides: [440], sampleRate: 48_000).level < -60)
  }

  @Test("A single lost sample is a click")
  func lostSample() {
    var broken = Self.tone
    broken.remove(at: 40_000)
    #expect(SignalCheck.worstClick(broken, besides: [440], sampleRate: 48_000).level > -60)
  }

  @Test("A ramp with a lost and a doubled frame breaks at exactly these two")
  func ramps() {
    var ramp = (0..<1_000).map { Float($0) / 16_777_216 }
    #expect(SignalCheck.breaks(inRamp: ramp).isEmpty)
    ramp.remove(at: 300)
    ramp.insert(ramp[600], at: 600)
    #expect(SignalCheck.breaks(inRamp: ramp) == [300, 601])
  }

  @Test("The first difference is found, to the bit")
  func differences() {
    #expect(SignalCheck.firstDifference([1, 2, 3] as [Float], [1, 2, 3]) == nil)
    #expect(SignalCheck.firstDifference([1, 2, 3] as [Float], [1, 2, (3 as Float).nextUp]) == 2)
    #expect(SignalCheck.firstDifference([0] as [Float], [-0.0]) == 0)
    #expect(SignalCheck.firstDifference([1, 2] as [Float], [1, 2, 3]) == 2)
  }

  @Test(
    "Levels of a tone are right, and another tone reads as nothing", arguments: [50.0, 440, 997.5, 15_000])
  func tones(frequency: Double) {
    let samples = (0..<24_000).map { Float(0.5 * sin(2 * Double.pi * frequency * Double($0) / 48_000 + 0.7)) }
    #expect(abs(SignalLevel.tone(samples, frequency: frequency, sampleRate: 48_000) + 6.0206) < 0.001)
    #expect(SignalLevel.tone(samples, frequency: frequency + 100, sampleRate: 48_000) < -90)
    #expect(abs(SignalLevel(samples).rms + 9.03) < 0.1)
  }
}
