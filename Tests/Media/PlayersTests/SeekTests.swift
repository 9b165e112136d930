import Chance
import Encoders
import Foundation
import Players
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct SeekTests {
  /// Ten times as many in `make soak`.
  static let seeks = Soak.count(100, of: 1_000)

  /// Noise that is the same in each run: every place of it is unlike every other.
  static let noise: SoundFile = {
    var dice = SeededGenerator(seed: 11)
    let channels = (0..<2).map { _ in
      (0..<240_000).map { _ in Float(Int.random(in: -2_000_000...2_000_000, using: &dice)) / 8_388_608 }
    }
    return SoundFile(channels: channels, sampleRate: 48_000)
  }()

  @Test(
    "Random seeks arrive at the right sample", arguments: Encoders.Format.allCases)
  func random(format: Encoders.Format) throws {
    let folder = try TemporaryFolder()
    let path = try Encoders.write(Self.noise, format, in: folder.path)
    // What the same decoder gives without seeks.
    let whole = try SoundFile(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    _ = rig.run(1_000)
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    // Opus is decoded from a place on with a difference in the last bits.
    let bound: Float = format == .opus ? 1e-5 : 0
    for _ in 0..<Self.seeks {
      let frame = Int.random(in: 0...whole.frames - 3_000, using: &dice)
      rig.player.seek(to: Double(frame) / 48_000)
      try #require(rig.waitUntilPrepared())
      let heard = rig.run(1_000)
      for channel in 0..<2 {
        // The first 5 ms are a crossfade.
        let most =
          (240..<1_000).map { abs(heard[channel][$0] - whole.channels[channel][frame + $0]) }.max() ?? 1
        #expect(most <= bound, "\(most) at \(frame), seed \(seed)")
      }
    }
  }

  @Test("A seek arrives also when the list or the speed changes before it is heard")
  func changes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Self.noise.write(path: path)
    let item = PlayerItem(id: 1, path: path)
    let rig = PlayerRig([item])
    try #require(rig.prepare())
    rig.player.seek(to: 3)
    rig.player.setItems([item, PlayerItem(id: 2, path: path)])
    #expect(rig.player.position == 3)
    rig.player.setRate(1.25)
    #expect(rig.player.position == 3)
    try #require(rig.waitUntilPrepared())
    _ = rig.player.play()
    _ = rig.run(1_000)
    #expect(rig.player.position > 3)
  }

  @Test("Of many seeks at once only the last one is heard, and the player never falls silent")
  func storm() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Self.noise.write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    _ = rig.run(1_000)
    for place in 0..<200 { rig.player.seek(to: Double(place) / 100) }
    rig.player.seek(to: 3)
    #expect(rig.player.position == 3)
    try #require(rig.waitUntilPrepared())
    let heard = rig.run(2_000)[0]
    let isExact = heard.dropFirst(1_000).elementsEqual(Self.noise.channels[0][145_000..<146_000])
    #expect(isExact)
    // A crossfade of unlike noise keeps its power within a decibel.
    for start in stride(from: 0, to: 1_900, by: 100) {
      let power = heard[start..<start + 100].reduce(0) { $0 + $1 * $1 } / 100
      #expect(power > 0.003, "\(start)")
    }
  }

  @Test("A converted file sounds the same after a seek as without one")
  func converted() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    let sound = SoundFile(channels: Self.noise.channels, sampleRate: 44_100)
    try sound.write(path: path)
    let first = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = first.player.play()
    let whole = first.run(261_224)
    // The length is that of the file: 240,000 x 48,000 / 44,100.
    #expect(whole[0].prefix(261_224).suffix(100).contains { $0 != 0 })
    #expect(first.run(256)[0].allSatisfy { $0 == 0 })
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    _ = rig.run(1_000)
    for seconds in [0.5, 2, 1, 0.01] {
      rig.player.seek(to: seconds)
      try #require(rig.waitUntilPrepared())
      let (heard, start) = (rig.run(2_000)[0], Int((seconds * 48_000).rounded()))
      let most = (240..<2_000).map { abs(heard[$0] - whole[0][start + $0]) }.max() ?? 1
      #expect(most < 2e-6, "\(most) after a seek to \(seconds) s")
    }
  }
}
