import Foundation
import Metering
import Testing

/// RMS and correlation over the last 0.3 s.
@Suite struct SlidingProductsTests {
  private func measured(_ sound: [[Float]], rate: Int = 48_000) -> SlidingProducts {
    var products = SlidingProducts(channels: sound.count, sampleRate: rate)
    let frames = sound[0].count
    let interleaved = (0..<frames).flatMap { frame in sound.map { $0[frame] } }
    interleaved.withUnsafeBufferPointer { samples in
      var begin = 0
      // Pieces of odd lengths, across the steps.
      while begin < frames, let first = samples.baseAddress {
        let piece = min(437, frames - begin)
        products.add(first + begin * sound.count, frames: piece)
        begin += piece
      }
    }
    return products
  }

  private func tone(_ frequency: Double, _ amplitude: Float = 1, phase: Double = 0) -> [Float] {
    (0..<48_000).map { amplitude * Float(sin(2 * .pi * frequency * Double($0) / 48_000 + phase)) }
  }

  @Test("A sine has the RMS of its amplitude by the root of 2, a square its amplitude, in each channel")
  func rms() {
    let products = measured([tone(1_000), tone(1_000, 0.1), tone(100).map { $0 < 0 ? -0.5 : 0.5 }])
    #expect(abs(products.rms(ofChannel: 0) - 0.5.squareRoot()) < 1e-4)
    #expect(abs(products.rms(ofChannel: 1) - 0.005.squareRoot()) < 1e-5)
    #expect(abs(products.rms(ofChannel: 2) - 0.5) < 1e-6)
  }

  @Test("After 0.3 s of silence nothing is left")
  func window() {
    let sound = tone(1_000)
    #expect(measured([sound + Array(repeating: 0, count: 14_400)]).rms(ofChannel: 0) == 0)
    let half = measured([sound + Array(repeating: 0, count: 7_200)]).rms(ofChannel: 0)
    #expect(abs(half - 0.25.squareRoot()) < 1e-4)
  }

  @Test(
    "Correlation is 1 for the same sound at any level, -1 for the opposite, 0 for another, and 0 in silence")
  func correlation() {
    let (sound, quiet) = (tone(1_000), tone(1_000, 0.01))
    #expect(abs(measured([sound, quiet]).correlation - 1) < 1e-6)
    #expect(abs(measured([sound, quiet.map { -$0 }]).correlation + 1) < 1e-6)
    #expect(abs(measured([sound, tone(1_000, phase: .pi / 2)]).correlation) < 1e-3)
    #expect(abs(measured([sound, tone(1_300)]).correlation) < 0.01)
    #expect(abs(measured([sound, tone(1_000, phase: .pi / 3)]).correlation - 0.5) < 1e-3)
    #expect(measured([sound, Array(repeating: 0, count: 48_000)]).correlation == 0)
    #expect(
      measured([Array(repeating: 0, count: 48_000), Array(repeating: 0, count: 48_000)]).correlation == 0)
  }
}
