import Foundation
import SoundConversion
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct RateConverterTests {
  @Test(
    "A sine is converted with 120 dB from any error, aligned to the sample, and at its exact length",
    arguments: [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (22_050, 48_000)])
  func sine(from: Int, to: Int) {
    let converter = RateConverter(channels: 1, from: from, to: to)
    let frames = from * 2
    let input = (0..<frames).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / Double(from))) }
    var output = [Float](repeating: 0, count: to * 2 + 1_000)
    var (used, made) = (0, 0)
    output.withUnsafeMutableBufferPointer { output in
      input.withUnsafeBufferPointer { input in
        while true {
          let rest = frames - used
          let (count, out) = converter.process(
            rest > 0 ? input.baseAddress! + used : nil, frames: min(1_000, rest),
            into: output.baseAddress! + made, room: output.count - made)
          used += count
          made += out
          if rest == 0, out == 0 { break }
        }
      }
    }
    #expect(made == to * 2)
    var (error, power) = (0.0, 0.0)
    for index in 4_000..<made - 4_000 {
      let wanted = 0.5 * sin(2 * .pi * 997 * Double(index) / Double(to))
      error += (Double(output[index]) - wanted) * (Double(output[index]) - wanted)
      power += wanted * wanted
    }
    #expect(10 * log10(power / error) > 120)
  }

  @Test(
    "A stereo sine of 1 kHz at -23 dBFS has -23 LUFS (EBU Tech 3341, case 1), and its gain is limited by its peak"
  )
  func loudness() throws {
    let folder = try TemporaryFolder()
    let level = Float(pow(10, -23.0 / 20))
    let sine = (0..<48_000 * 20).map { level * Float(sin(2 * .pi * 1_000 * Double($0) / 48_000)) }
    try SoundFile(channels: [sine, sine], sampleRate: 48_000).write(path: folder.file("a.wav"))
    let measured = try #require(try SoundLoudness.measure(path: folder.file("a.wav")))
    #expect(abs(try #require(measured.loudness) + 23) < 0.1)
    #expect(abs(measured.gain(to: -16) - 7) < 0.1)
    // -1 dBFS is the ceiling.
    #expect(abs(measured.gain(to: 10) - 22) < 0.1)
    try SoundFile(channels: [[Float](repeating: 0, count: 48_000)], sampleRate: 48_000).write(
      path: folder.file("b.wav"))
    #expect(try SoundLoudness.measure(path: folder.file("b.wav")) == SoundLoudness(loudness: nil, peak: 0))
    #expect(SoundLoudness(loudness: nil, peak: 0).gain(to: -16) == 0)
  }

  @Test("A stretch begins with its input unchanged", arguments: [0.25, 0.5, 1.5, 4])
  func beginning(tempo: Double) throws {
    let stretch = try TimeStretch(channels: 1, sampleRate: 48_000, tempo: tempo)
    let input = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 333 * Double($0) / 48_000)) }
    stretch.put(input, frames: input.count)
    stretch.end()
    var output = [Float](repeating: 0, count: 200_000)
    let first = stretch.take(&output, frames: 2_000)
    #expect(first == 2_000)
    // The first sequence without its overlaps: longer than the splice of a player.
    #expect((0..<1_700).allSatisfy { abs(output[$0] - input[$0]) < 1e-6 })
    var whole = first
    while case let count = stretch.take(&output, frames: 10_000), count > 0 { whole += count }
    #expect(whole == Int((48_000 / tempo).rounded()))
  }
}
