import Foundation
import SoundFiles
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
}
