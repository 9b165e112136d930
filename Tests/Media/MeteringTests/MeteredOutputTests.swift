import Foundation
import MediaKernel
import SessionModel
import Testing
import Threads

@testable import Metering

/// Meters on their thread, which get frames as the audio thread gives them.
@Suite struct MeteredOutputTests {
  private let thread = MeterThread()

  private func output(_ meters: [OutputMeter], channels: Int = 2) -> MeteredOutput {
    MeteredOutput(thread, meters: meters, channels: channels, sampleRate: 48_000) {
      Issue.record("\($0)")
    }
  }

  /// Plays a sine of 1 kHz for some seconds into an output's tap, in periods, in place of the audio thread.
  /// - Parameter levels: dBFS of each channel.
  private func play(_ levels: [Double], _ seconds: Double, into output: MeteredOutput) {
    let amplitudes = levels.map { Float(pow(10, $0 / 20)) }
    thread.setFreewheel(true)
    let tap = output.store.tap
    for period in 0..<Int(seconds * 48_000) / 480 {
      tap.pointee.begin(output.order, frames: 480, time: period * 480, waits: true)
      for (channel, amplitude) in amplitudes.enumerated() {
        guard let samples = tap.pointee.samples(channel) else { continue }
        for frame in 0..<480 { samples[frame] = amplitude * Float(sin(2 * .pi * Double(frame) / 48)) }
      }
      tap.pointee.end()
    }
  }

  /// The readings, as soon as all frames are measured.
  private func readings(
    _ output: MeteredOutput, _ isWanted: ([MeterValue: [Float]]) -> Bool = { !$0.isEmpty }
  ) throws -> [MeterValue: [Float]] {
    let end = MonotonicTime.now + 20
    while true {
      let readings = output.takeReadings()
      if isWanted(readings) { return readings }
      try #require(MonotonicTime.now < end, "\(readings)")
      MonotonicTime.pause(seconds: 0.002)
    }
  }

  private func isNear(_ values: [Float]?, _ expected: [Float], within limit: Float = 0.1) -> Bool {
    values.map { $0.count == expected.count && zip($0, expected).allSatisfy { abs($0 - $1) <= limit } }
      ?? false
  }

  @Test("Each meter shows what the output plays, and only what is asked for")
  func values() throws {
    let output = output(OutputMeter.allCases)
    output.listen(true)
    play([-23, -23], 5, into: output)
    let loud = try readings(output) { isNear($0[.shortTerm], [-23]) }
    #expect(isNear(loud[.ppm], [-23, -23]) && isNear(loud[.rms], [-26.01, -26.01]), "\(loud)")
    #expect(isNear(loud[.momentary], [-23]) && isNear(loud[.integrated], [-23]))
    #expect(isNear(loud[.truePeak], [-23, -23], within: 0.2) && isNear(loud[.correlation], [1]))
    let ppm = self.output([.ppm])
    ppm.listen(true)
    play([0, -20], 1, into: ppm)
    #expect(try readings(ppm) { isNear($0[.ppm], [0, -20]) }.keys.map(\.rawValue) == ["ppm"])
  }

  @Test("A reset begins integrated loudness and the highest true peak anew, and nothing else")
  func reset() throws {
    let output = output([.loudness, .truePeak])
    output.listen(true)
    play([-10, -10], 4, into: output)
    _ = try readings(output) { isNear($0[.integrated], [-10]) }
    play([-30, -30], 4, into: output)
    let before = try readings(output) { isNear($0[.shortTerm], [-30]) }
    #expect(
      isNear(before[.integrated], [-10], within: 4)
        && isNear(before[.highestTruePeak], [-10, -10], within: 0.2))
    output.reset()
    play([-30, -30], 1, into: output)
    let after = try readings(output) { isNear($0[.integrated], [-30]) }
    #expect(isNear(after[.highestTruePeak], [-30, -30], within: 0.2) && isNear(after[.shortTerm], [-30]))
  }

  @Test("Meters that do not listen have no ring, and their thread stands still")
  func rest() throws {
    let output = output([.ppm])
    play([0, 0], 1, into: output)
    #expect(output.store.tap.pointee.samples(0) == nil && output.store.waiting == 0)
    #expect(output.takeReadings().isEmpty)
    output.listen(true)
    play([0, 0], 1, into: output)
    _ = try readings(output) { isNear($0[.ppm], [0, 0]) }
    output.listen(false)
    play([0, 0], 1, into: output)
    // A pass that had begun may still end.
    var (before, now) = (-1, thread.passTimes.count)
    let end = MonotonicTime.now + 20
    while before != now, MonotonicTime.now < end {
      MonotonicTime.pause(seconds: 0.05)
      (before, now) = (now, thread.passTimes.count)
    }
    #expect(before == now)
    #expect(output.takeReadings().isEmpty)
    // It begins anew, not where it was. What was in the ring when it began is dropped.
    output.listen(true)
    play([-40, -40], 2, into: output)
    // From the former peak it would need 4.7 s.
    _ = try readings(output) { isNear($0[.ppm], [-40, -40]) }
  }
}
