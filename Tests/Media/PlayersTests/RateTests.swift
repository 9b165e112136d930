import AwaitedEvents
import Foundation
import Players
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct RateTests {
  /// A sine with half of the full scale.
  static func sine(_ frequency: Double, seconds: Double) -> SoundFile {
    let samples = (0..<Int(seconds * 48_000)).map {
      Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48_000))
    }
    return SoundFile(channels: [samples], sampleRate: 48_000)
  }

  /// The frequency of a sine, from the rotation of its phase between windows.
  static func frequency(_ samples: [Float], near wanted: Double) -> Double {
    let (length, hop) = (8_192, 400)
    func phase(_ start: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<length {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length))
        let angle = 2 * .pi * wanted * Double(index) / 48_000
        real += window * Double(samples[start + index]) * cos(angle)
        imaginary -= window * Double(samples[start + index]) * sin(angle)
      }
      return atan2(imaginary, real)
    }
    var turned = 0.0
    var before = phase(0)
    let places = Array(stride(from: hop, through: samples.count - length, by: hop))
    for start in places {
      let now = phase(start)
      let expected = 2 * .pi * wanted * Double(hop) / 48_000
      turned += expected + remainder(now - before - expected, 2 * .pi)
      before = now
    }
    return turned * 48_000 / (2 * .pi * Double(places.last ?? 1))
  }

  @Test(
    "The pitch of a sine stays within 5 cents at every rate, from 55 Hz up",
    arguments: [55.0, 110, 440, 3_000], [0.25, 0.8, 1.25, 2, 4])
  func pitch(frequency: Double, rate: Double) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Self.sine(frequency, seconds: max(2, 3 * rate)).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)], channels: 1)
    rig.player.setRate(rate)
    _ = rig.player.play()
    let heard = rig.run(96_000)[0]
    let measured = Self.frequency(Array(heard.dropFirst(8_000)), near: frequency)
    let cents = 1_200 * log2(measured / frequency)
    #expect(abs(cents) < 5, "\(cents) cents")
  }

  @Test("The sound at a rate is as long as the file divided by the rate", arguments: [0.25, 0.5, 1.5, 4])
  func length(rate: Double) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Self.sine(997, seconds: 1).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)], channels: 1)
    rig.player.setRate(rate)
    _ = rig.player.play()
    let whole = Int((48_000 / rate).rounded())
    _ = rig.run(whole - 1_000)
    #expect(abs(rig.player.position - (1 - 1_000 * rate / 48_000)) < 0.01)
    _ = rig.run(1_000)
    #expect(rig.run(4_096)[0].allSatisfy { $0 == 0 })
    #expect(rig.events.wait { $0 == .finished })
  }

  @Test(
    "Changes of the rate while a sine plays make no click",
    arguments: [[1.5, 1], [0.5, 2, 1], [4, 0.25, 1]])
  func splices(rates: [Double]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Self.sine(200, seconds: 20).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)], channels: 1)
    _ = rig.player.play()
    var heard = rig.run(20_000)[0]
    for rate in rates {
      rig.player.setRate(rate)
      try #require(rig.waitUntilPrepared())
      heard += rig.run(90_000)[0]
      #expect(rig.player.rate == rate)
    }
    // The sine itself bends by 0.00035, and its crossfades by little more; a step of a hundredth would bend by a hundredth.
    var bend: Float = 0
    for index in 2..<heard.count {
      let mean = (heard[index] + heard[index - 2]) / 2
      bend = max(bend, 2 * abs(heard[index - 1] - mean))
    }
    #expect(bend < 0.002, "\(bend)")
    // And the sound goes on: it dips for 20 ms at most, as the two speeds do not agree in phase.
    for start in stride(from: 480, to: heard.count - 480, by: 240) {
      let peak = heard[start..<start + 480].reduce(0) { max($0, abs($1)) }
      #expect(peak > 0.1, "\(peak) at \(start)")
    }
  }
}

@Suite struct WindingTests {
  @Test(
    "Winding moves four times as fast in both directions, and play goes on from there; back it stops at the start"
  )
  func winding() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try RateTests.sine(300, seconds: 30).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)], channels: 1)
    _ = rig.player.play()
    _ = rig.run(48_000)
    /// How far the player moves in a second.
    func wind(_ winding: Player.Winding) throws -> Double {
      rig.player.setWinding(winding)
      try #require(rig.waitUntilPrepared())
      // In freewheel the new deck takes over at the end of the ring.
      _ = rig.run(80_000)
      let before = rig.player.position
      _ = rig.run(48_000)
      return rig.player.position - before
    }
    #expect(abs(try wind(.forward) - 4) < 0.1)
    #expect(abs(try wind(.none) - 1) < 0.01)
    #expect(abs(try wind(.back) + 4) < 0.6)
    _ = rig.run(480_000)
    #expect(rig.player.position < 0.11 && rig.player.isPlaying)
    #expect(rig.run(1_000)[0].allSatisfy { $0 == 0 })
    #expect(abs(try wind(.none) - 1) < 0.01)
  }
}
