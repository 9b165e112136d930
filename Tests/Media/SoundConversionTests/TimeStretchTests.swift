import Foundation
import SoundConversion
import Testing

@Suite struct TimeStretchTests {
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
