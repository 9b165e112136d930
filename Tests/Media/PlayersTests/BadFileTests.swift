import AwaitedEvents
import Encoders
import Foundation
import Players
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct BadFileTests {
  private static func isFailure(_ event: PlayerEvent) -> Bool {
    if case .failed = event { true } else { false }
  }
  private static func isDamage(_ event: PlayerEvent) -> Bool {
    if case .damaged = event { true } else { false }
  }

  @Test("A bad file between good ones is reported and skipped without a gap")
  func skip() throws {
    let folder = try TemporaryFolder()
    for (name, frames) in [("a.wav", 0..<5_000), ("c.wav", 5_000..<9_000)] {
      try CountedSound.sound(frames).write(path: folder.file(name))
    }
    try folder.write("no sound", to: "b.wav")
    let rig = PlayerRig(
      ["a.wav", "b.wav", "c.wav"].enumerated().map { PlayerItem(id: $0, path: folder.file($1)) })
    _ = rig.player.play()
    let isExact = rig.run(9_000)[0].elementsEqual((0..<9_000).map { CountedSound.sample($0) })
    #expect(isExact)
    #expect(rig.events.count(Self.isFailure) == 1)
  }

  @Test("Three bad files in a row end the show")
  func three() throws {
    let folder = try TemporaryFolder()
    try CountedSound.sound(0..<5_000).write(path: folder.file("a.wav"))
    let rig = PlayerRig(
      ["a.wav", "1", "2", "3", "a.wav"].enumerated().map { PlayerItem(id: $0, path: folder.file($1)) })
    _ = rig.player.play()
    let isExact = rig.run(5_000)[0].elementsEqual((0..<5_000).map { CountedSound.sample($0) })
    #expect(isExact)
    #expect(rig.run(5_000)[0].allSatisfy { $0 == 0 })
    #expect(rig.events.wait { $0 == .gaveUp })
    #expect(rig.events.count(Self.isFailure) == 3)
  }

  @Test("A player of one bad file says why and does not start when a good one comes")
  func alone() throws {
    let folder = try TemporaryFolder()
    let rig = PlayerRig([PlayerItem(id: 1, path: folder.file("absent.wav"))])
    _ = rig.player.play()
    #expect(rig.events.wait { $0 == .gaveUp })
    let reason = MediaError.unreadable(path: folder.file("absent.wav"), reason: "No such file or directory")
    #expect(
      rig.events.all.first(where: Self.isFailure)
        == .failed(PlayerItem(id: 1, path: folder.file("absent.wav")), reason))
    try CountedSound.sound(1..<5_000).write(path: folder.file("a.wav"))
    rig.player.setItems([PlayerItem(id: 2, path: folder.file("a.wav"))])
    try #require(rig.prepare())
    #expect(rig.run(1_000)[0].allSatisfy { $0 == 0 })
  }

  @Test("A file that is removed while it plays is played to its end")
  func removed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<300_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    var heard = rig.run(10_000)[0]
    try FileManager.default.removeItem(atPath: path)
    heard += rig.run(290_000)[0]
    let isExact = heard.elementsEqual((0..<300_000).map { CountedSound.sample($0) })
    #expect(isExact)
  }

  @Test(
    "A file that is cut while it plays ends there, with a report, and the next one follows",
    arguments: [Encoders.Format.wav, .flac])
  func cut(format: Encoders.Format) throws {
    let folder = try TemporaryFolder()
    let path = try Encoders.write(SeekTests.noise, format, in: folder.path)
    try CountedSound.sound(0..<5_000).write(path: folder.file("b.wav"))
    let rig = PlayerRig([PlayerItem(id: 1, path: path), PlayerItem(id: 2, path: folder.file("b.wav"))])
    _ = rig.player.play()
    _ = rig.run(10_000)
    #expect(truncate(path, 700_000) == 0)
    let heard = rig.run(250_000)[0]
    #expect(rig.events.wait(1, Self.isDamage))
    #expect(rig.events.wait { $0 == .finished })
    #expect(heard.contains(CountedSound.sample(4_999)))
  }

  @Test(
    "A file that grows, or is replaced, while it plays ends where it ended when it was opened",
    arguments: ["grows", "is replaced"])
  func changed(how: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<300_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    var heard = rig.run(10_000)[0]
    if how == "grows" {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(repeating: 0x55, count: 1_000_000))
      try file.close()
    } else {
      try CountedSound.sound(7..<1_000).write(path: folder.file("b.wav"))
      #expect(rename(folder.file("b.wav"), path) == 0)
    }
    heard += rig.run(295_000)[0]
    #expect(rig.events.wait { $0 == .finished })
    let isExact = heard.elementsEqual(
      (0..<300_000).map { CountedSound.sample($0) } + [Float](repeating: 0, count: 5_000))
    #expect(isExact)
  }

  @Test(
    "A player that is prepared, or pauses, plays what the file is by then",
    arguments: ["is overwritten", "is replaced"], [false, true])
  func renewed(how: String, pauses: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<300_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    try #require(rig.prepare())
    _ = rig.run(1_000)
    if pauses {
      _ = rig.player.play()
      _ = rig.run(48_000)
      _ = rig.player.pause()
      _ = rig.run(1_000)
    }
    let place = Int((rig.player.position * 48_000).rounded())
    // The new mix is 1,000,000 frames further on.
    try CountedSound.sound(1_000_000..<1_200_000).write(path: folder.file("b.wav"))
    if how == "is replaced" {
      #expect(rename(folder.file("b.wav"), path) == 0)
    } else {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("b.wav")))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: bytes)
      try file.close()
    }
    // The new mix is ready once the player knows its length.
    #expect(rig.events.wait(until: { rig.player.duration == 200_000 / 48_000.0 && rig.player.isPrepared }))
    _ = rig.run(1_000)
    _ = rig.player.play()
    let heard = rig.run(10_000)[0]
    let expected = (0..<10_000).map { CountedSound.sample(1_000_000 + place + $0) }
    // A player that goes on fades in.
    #expect(heard.dropFirst(pauses ? 480 : 0).elementsEqual(expected.dropFirst(pauses ? 480 : 0)))
    #expect(!rig.events.all.contains(where: Self.isDamage))
  }

  @Test("A file with more channels than the player is refused")
  func wide() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<5_000, channels: 4).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    rig.player.prepare()
    #expect(rig.events.wait { $0 == .gaveUp })
    let error = MediaError.unplayable(path: path, reason: "it has 4 channels, and the player 2")
    #expect(rig.events.all.first(where: Self.isFailure) == .failed(PlayerItem(id: 1, path: path), error))
  }

  @Test("Samples that are not finite are silent")
  func notFinite() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try SoundFile(channels: [[0.5, .nan, .infinity, -.infinity, 0.25]], sampleRate: 48_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)], channels: 1)
    _ = rig.player.play()
    #expect(rig.run(6)[0] == [0.5, 0, 0, 0, 0.25, 0])
  }
}
