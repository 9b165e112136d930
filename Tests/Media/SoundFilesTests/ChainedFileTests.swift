import Encoders
import Foundation
import SoundFiles
import TemporaryFolders
import Testing

/// Ogg files of several links, as `cat` and recorders of internet radio make them.
@Suite struct ChainedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A sine of each channel's own amplitude.
  private static func sine(_ hertz: Double, seconds: Double, channels: Int = 2, rate: Int = 48_000)
    -> SoundFile
  {
    let frames = Int(seconds * Double(rate))
    return SoundFile(
      channels: (1...channels).map { channel in
        (0..<frames).map { Float(0.1 * Double(channel) * sin(2 * .pi * hertz * Double($0) / Double(rate))) }
      }, sampleRate: rate)
  }

  private func chain(_ links: [(SoundFile, Encoders.Format)], behind: Data = Data()) throws -> String {
    var bytes = Data()
    for (index, (sound, format)) in links.enumerated() {
      bytes += try Data(
        contentsOf: URL(
          fileURLWithPath: Encoders.write(sound, format, in: folder.path, name: "link\(index)")))
    }
    try (bytes + behind).write(to: URL(fileURLWithPath: folder.file("chain.ogg")))
    return folder.file("chain.ogg")
  }

  /// The level of a sine in a part of a sound, in amplitude.
  private static func level(_ hertz: Double, in samples: ArraySlice<Float>, rate: Int = 48_000) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let angle = 2 * .pi * hertz * Double(index) / Double(rate)
      (real, imaginary) = (real + Double(sample) * cos(angle), imaginary + Double(sample) * sin(angle))
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
  }

  @Test("All links of a lossless chain are played to the sample, and from any place")
  func exact() throws {
    let sounds = [0..<30_000, 30_000..<30_001, 30_001..<90_000].map { CountedSound.sound($0) }
    let path = try chain(sounds.map { ($0, .oggFlac) })
    let reader = try SoundFileReader(path: path)
    #expect(reader.length == 90_000)
    #expect(try SoundFile(path: path).channels == CountedSound.sound(0..<90_000).channels)
    for place in [0, 29_999, 30_000, 30_001, 60_000, 10, 89_999] {
      try reader.seek(to: place)
      let end = min(place + 2_000, 90_000)
      #expect(reader.read(frames: 2_000)[1] == CountedSound.sound(place..<end).channels[1], "at \(place)")
    }
    #expect(reader.damage == nil)
  }

  @Test("Chains of Vorbis and Opus have the length of all links", arguments: [Encoders.Format.vorbis, .opus])
  func lossy(format: Encoders.Format) throws {
    let path = try chain([
      (Self.sine(440, seconds: 4), format), (Self.sine(880, seconds: 3), format),
      (Self.sine(440, seconds: 1), format),
    ])
    let sound = try SoundFile(path: path)
    #expect(sound.frames == 8 * 48_000 && sound.sampleRate == 48_000)
    let samples = sound.channels[1]
    for (hertz, other, place) in [(440.0, 880.0, 24_000), (880, 440, 250_000), (440, 880, 345_000)] {
      let part = samples[place..<place + 24_000]
      #expect(abs(Self.level(hertz, in: part) - 0.2) < 0.01)
      #expect(Self.level(other, in: part) < 0.01)
    }
    let reader = try SoundFileReader(path: path)
    try reader.seek(to: 250_000)
    let part = reader.read(frames: 24_000)[1]
    #expect(zip(part, samples[250_000...]).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test("Links of other rates, channels and codings are heard at the rate of the first one")
  func mixed() throws {
    let path = try chain([
      (Self.sine(440, seconds: 1, channels: 1), .vorbis),
      (Self.sine(880, seconds: 2, rate: 44_100), .oggFlac),
      (Self.sine(440, seconds: 1, rate: 24_000), .opus),
    ])
    let reader = try SoundFileReader(path: path)
    #expect(reader.sampleRate == 48_000 && reader.channelCount == 2 && reader.length == 4 * 48_000)
    let sound = try SoundFile(path: path)
    #expect(sound.frames == 4 * 48_000)
    let parts: [(Int, Double, [Double])] = [
      (12_000, 440, [0.1, 0.1]), (72_000, 880, [0.1, 0.2]), (156_000, 440, [0.1, 0.2]),
    ]
    for (place, hertz, levels) in parts {
      for channel in 0..<2 {
        let level = Self.level(hertz, in: sound.channels[channel][place..<place + 24_000])
        #expect(abs(level - levels[channel]) < 0.01, "at \(place)")
      }
    }
    // A place within the converted link is found to the sample.
    try reader.seek(to: 100_001)
    #expect(
      zip(reader.read(frames: 5_000)[0], sound.channels[0][100_001...]).allSatisfy { abs($0 - $1) < 1e-4 })
    #expect(reader.damage == nil)
  }

  @Test("A link that cannot be read ends the sound with a word, and a tag behind the last page does not")
  func damaged() throws {
    let sound = CountedSound.sound(0..<30_000)
    let tagged = try chain(
      [(sound, .oggFlac), (sound, .oggFlac)], behind: Data("TAG".utf8) + Data(count: 125))
    #expect(try SoundFile(path: tagged).frames == 60_000)
    var second = try Data(contentsOf: URL(fileURLWithPath: folder.file("link1.ogg")))
    second.replaceSubrange(28..<33, with: Data("?THEO".utf8))
    let first = try Data(contentsOf: URL(fileURLWithPath: folder.file("link0.ogg")))
    try (first + second).write(to: URL(fileURLWithPath: folder.file("broken.ogg")))
    let reader = try SoundFileReader(path: folder.file("broken.ogg"))
    #expect(reader.read(frames: 40_000)[0].count == 30_000)
    #expect(reader.damage?.reason.contains("part 2 of its 2 parts cannot be read") == true)
  }
}
