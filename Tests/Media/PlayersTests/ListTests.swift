import AwaitedEvents
import Encoders
import Foundation
import MediaKernel
import Players
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct ListTests {
  private static func samples(_ frames: Range<Int>) -> [Float] { frames.map { CountedSound.sample($0) } }

  @Test("A list that changes behind the item that sounds takes effect at its end, without a gap")
  func change() throws {
    let folder = try TemporaryFolder()
    for (name, frames) in [("a.wav", 0..<30_000), ("b.wav", 100_000..<130_000), ("c.wav", 200_000..<230_000)]
    {
      try CountedSound.sound(frames).write(path: folder.file(name))
    }
    let items = ["a", "b", "c"].enumerated().map { PlayerItem(id: $0, path: folder.file("\($1).wav")) }
    // The short first item: the second one is in the ring already.
    let rig = PlayerRig([items[0], items[1]])
    _ = rig.player.play()
    var heard = rig.run(5_000)[0]
    rig.player.setItems([items[0], items[2]])
    // The reader has seen the list after three of its passes, and has then made a deck for it.
    let passes = rig.reader.passes
    while rig.reader.passes < passes + 3 { usleep(1_000) }
    try #require(rig.waitUntilPrepared())
    heard += rig.run(60_000 - heard.count)[0]
    let wanted = Self.samples(0..<30_000) + Self.samples(200_000..<230_000)
    let wrong = heard.indices.first { heard[$0] != wanted[$0] }
    #expect(wrong == nil)
    #expect(rig.events.wait { $0 == .item(items[2]) })
    #expect(rig.events.count { $0 == .item(items[1]) } == 0)
  }

  @Test("A loop that is called off ends at the end of the item, without a wrong sample")
  func loopsOff() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<20_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path, loops: PlayerItem.endless)])
    _ = rig.player.play()
    var heard = rig.run(65_000)[0]
    rig.player.setItems([PlayerItem(id: 1, path: path)])
    try #require(rig.waitUntilPrepared())
    heard += rig.run(30_000)[0]
    let sounding = heard.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    #expect(sounding == 80_000)
    let wrong = (0..<sounding).first { heard[$0] != CountedSound.sample($0 % 20_000) }
    #expect(wrong == nil)
  }

  @Test("Files of several rates and channels follow each other, each at its length")
  func mixture() throws {
    let folder = try TemporaryFolder()
    func tone(_ channels: Int, _ rate: Int, _ level: Float) -> SoundFile {
      let sine = (0..<rate / 2).map { level * Float(sin(2 * .pi * 500 * Double($0) / Double(rate))) }
      return SoundFile(channels: Array(repeating: sine, count: channels), sampleRate: rate)
    }
    let sounds = [tone(1, 44_100, 0.2), tone(2, 48_000, 0.4), tone(2, 96_000, 0.6), tone(1, 48_000, 0.8)]
    var items: [PlayerItem] = []
    for (index, sound) in sounds.enumerated() {
      try sound.write(path: folder.file("\(index).wav"))
      items.append(PlayerItem(id: index, path: folder.file("\(index).wav")))
    }
    let rig = PlayerRig(items)
    _ = rig.player.play()
    let heard = rig.run(97_000)
    #expect(heard[0] == heard[1])
    for index in 0..<4 {
      let part = heard[0][(index * 24_000 + 500)..<(index * 24_000 + 23_500)]
      let peak = part.reduce(0) { max($0, abs($1)) }
      #expect(abs(peak - 0.2 * Float(index + 1)) < 0.01, "item \(index) has \(peak)")
    }
    #expect(heard[0].dropFirst(96_000).allSatisfy { $0 == 0 })
  }

  @Test("A crossfade between two items keeps the power, and takes as long as it is set")
  func crossfade() throws {
    let folder = try TemporaryFolder()
    let noise = SeekTests.noise
    let (first, second) = (noise.channels[0], noise.channels[1])
    try SoundFile(channels: [Array(first[..<96_000])], sampleRate: 48_000).write(path: folder.file("a.wav"))
    try SoundFile(channels: [Array(second[..<96_000])], sampleRate: 48_000).write(path: folder.file("b.wav"))
    let rig = PlayerRig(
      ["a", "b"].enumerated().map { PlayerItem(id: $0, path: folder.file("\($1).wav")) }, channels: 1)
    rig.player.setCrossfade(0.5)
    _ = rig.player.play()
    let heard = rig.run(168_100)[0]
    let isFirst = heard.prefix(72_000).elementsEqual(first.prefix(72_000))
    let isSecond = heard[96_000..<168_000].elementsEqual(second[24_000..<96_000])
    #expect(isFirst && isSecond)
    #expect(heard.suffix(100).allSatisfy { $0 == 0 })
    for start in stride(from: 72_000, to: 96_000, by: 2_000) {
      let power = heard[start..<start + 2_000].reduce(0) { $0 + $1 * $1 } / 2_000
      let alone = first[..<2_000].reduce(0) { $0 + $1 * $1 } / 2_000
      #expect(abs(10 * log10(power / alone)) < 1)
    }
  }

  @Test("A crossfade is shorter into a short item, and always ends with the end of the item before")
  func shortCrossfade() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (SeekTests.noise.channels[0], SeekTests.noise.channels[1])
    let parts = [Array(first[..<96_000]), Array(second[..<4_800]), Array(first[..<48_000])]
    for (index, part) in parts.enumerated() {
      try SoundFile(channels: [part], sampleRate: 48_000).write(path: folder.file("\(index).wav"))
    }
    let rig = PlayerRig(parts.indices.map { PlayerItem(id: $0, path: folder.file("\($0).wav")) }, channels: 1)
    rig.player.setCrossfade(1)
    _ = rig.player.play()
    let heard = rig.run(144_000)[0]
    // The fades take the two halves of the short item.
    #expect(heard.prefix(93_600).elementsEqual(parts[0].prefix(93_600)))
    #expect(heard[98_400..<144_000].elementsEqual(parts[2][2_400...]))
    #expect(heard[93_600..<98_400].allSatisfy { $0 != 0 })
  }

  /// Changes in a crossfade after which it goes on.
  enum Change: CaseIterable { case first, loops, both, later }

  @Test(
    "A crossfade ends with the item before, whatever changes meanwhile",
    arguments: Change.allCases, [(crossfade: 6.0, next: 20.0), (2, 5), (2, 1)])
  func changedCrossfade(change: Change, length: (crossfade: Double, next: Double)) throws {
    let folder = try TemporaryFolder()
    let items = (1...3).map { PlayerItem(id: $0, path: folder.file("\($0).wav")) }
    for (item, (level, seconds)) in zip(items, [(Float(0.5), 8.0), (Float(0), length.next), (Float(0), 4)]) {
      let samples = Array(repeating: level, count: Int(seconds * 48_000))
      try SoundFile(channels: [samples], sampleRate: 48_000).write(path: item.path)
    }
    let hasThird = change == .later
    let rig = PlayerRig(hasThird ? items : Array(items.dropLast()), channels: 1)
    rig.player.setCrossfade(length.crossfade)
    _ = rig.player.play()
    let fade = Int(min(length.crossfade, length.next / 2) * 48_000)
    let start = 384_000 - fade
    var heard = rig.run(start + 9_600)[0]
    // The owner drops the item before as soon as the next one is heard.
    if change != .loops { rig.player.setItems(hasThird ? Array(items.dropFirst()) : [items[1]]) }
    let passes = rig.reader.passes
    while rig.reader.passes < passes + 3 { usleep(1_000) }
    switch change {
    case .first: break
    case .loops: rig.player.setItems([items[0], PlayerItem(id: 2, path: items[1].path, loops: 1)])
    case .both: rig.player.setItems([PlayerItem(id: 2, path: items[1].path, loops: 1)])
    case .later: rig.player.setItems([items[1]])
    }
    while rig.reader.passes < passes + 6 { usleep(1_000) }
    try #require(rig.waitUntilPrepared())
    heard += rig.run(390_000 - heard.count)[0]
    let wrong = (start..<384_000).first { frame in
      abs(heard[frame] - 0.5 * (1 - Float(frame - start) / Float(fade)).squareRoot()) > 0.001
    }
    #expect(wrong == nil)
    #expect(heard[384_000...].allSatisfy { $0 == 0 })
  }

  @Test("A crossfade goes on at another speed, and after a stop")
  func rateInCrossfade() throws {
    let folder = try TemporaryFolder()
    let items = (1...2).map { PlayerItem(id: $0, path: folder.file("\($0).wav")) }
    for (item, level) in zip(items, [Float(0.5), Float(0)]) {
      try SoundFile(channels: [Array(repeating: level, count: 480_000)], sampleRate: 48_000)
        .write(path: item.path)
    }
    let rig = PlayerRig(items, channels: 1)
    rig.player.setCrossfade(4)
    _ = rig.player.play()
    // A second of the crossfade has passed.
    _ = rig.run(336_000)
    rig.player.setItems([items[1]])
    rig.player.setRate(2)
    try #require(rig.waitUntilPrepared())
    // In freewheel the new speed is heard behind what lies ready, about a second later.
    let faster = rig.run(72_000)[0]
    #expect(faster.prefix(60_000).allSatisfy { $0 > 0.1 })
    _ = rig.player.stop()
    _ = rig.run(4_800)
    let passes = rig.reader.passes
    while rig.reader.passes < passes + 6 { usleep(1_000) }
    try #require(rig.waitUntilPrepared())
    let before = faster.last ?? 0
    _ = rig.player.play()
    let after = rig.run(2_400)[0].max() ?? 0
    #expect(before > 0.05 && abs(after - before) < 0.1, "\(before) and \(after)")
  }

  @Test("A crossfade into an item that is repeated without end takes as long as it is set")
  func endlessCrossfade() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [Array(repeating: 0.5, count: 96_000)], sampleRate: 48_000)
      .write(path: folder.file("a.wav"))
    try SoundFile(channels: [Array(repeating: 0, count: 96_000)], sampleRate: 48_000)
      .write(path: folder.file("b.wav"))
    let rig = PlayerRig(
      [
        PlayerItem(id: 1, path: folder.file("a.wav")),
        PlayerItem(id: 2, path: folder.file("b.wav"), loops: PlayerItem.endless),
      ], channels: 1)
    rig.player.setCrossfade(0.5)
    _ = rig.player.play()
    let heard = rig.run(97_000)[0]
    #expect(heard[..<72_000].allSatisfy { $0 == 0.5 } && heard[72_001] < 0.5)
    #expect(heard[..<96_000].allSatisfy { $0 > 0 } && heard[96_000...].allSatisfy { $0 == 0 })
  }

  @Test("The item before fades out to its end without a click when one of an unknown length ends in the fade")
  func unknownCrossfade() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [Array(repeating: 0.5, count: 96_000)], sampleRate: 48_000)
      .write(path: folder.file("a.wav"))
    let short = try Encoders.write(
      SoundFile(channels: [Array(repeating: 0, count: 4_800)], sampleRate: 48_000), .flac, in: folder.path)
    // The 36 bits of the length in STREAMINFO.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: short))
    bytes[21] &= 0xF0
    for place in 22..<26 { bytes[place] = 0 }
    try bytes.write(to: URL(fileURLWithPath: short))
    let rig = PlayerRig(
      [PlayerItem(id: 1, path: folder.file("a.wav")), PlayerItem(id: 2, path: short)], channels: 1)
    rig.player.setCrossfade(0.5)
    _ = rig.player.play()
    let heard = rig.run(97_000)[0]
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(heard[..<96_000].allSatisfy { $0 > 0 } && heard[96_000...].allSatisfy { $0 == 0 })
    #expect(rig.events.wait { $0 == .finished })
  }

  @Test("Each item is told when it begins to sound")
  func items() throws {
    let folder = try TemporaryFolder()
    let items = (0..<3).map { PlayerItem(id: $0, path: folder.file("\($0).wav")) }
    for (index, item) in items.enumerated() {
      try CountedSound.sound(index * 48_000..<(index + 1) * 48_000).write(path: item.path)
    }
    let rig = PlayerRig(items)
    _ = rig.player.play()
    for (index, item) in items.enumerated() {
      _ = rig.run(index == 0 ? 24_000 : 48_000)
      #expect(rig.events.wait { $0 == .item(item) })
      #expect(rig.player.item == item && abs(rig.player.position - 0.5) < 1e-6)
    }
  }
}
