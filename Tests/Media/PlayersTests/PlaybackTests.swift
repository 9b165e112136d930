import AwaitedEvents
import Chance
import Encoders
import Foundation
import MediaKernel
import Players
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct PlaybackTests {
  @Test(
    "A file of a lossless format is played bit for bit, and then there is silence",
    arguments: Encoders.Format.lossless)
  func exact(format: Encoders.Format) throws {
    let folder = try TemporaryFolder()
    let sound = CountedSound.sound(0..<150_000)
    let path = try Encoders.write(sound, format, in: folder.path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    try #require(rig.prepare())
    #expect(rig.player.duration == 3.125)
    _ = rig.player.play()
    let heard = rig.run(160_000)
    let isExact = heard[0].prefix(150_000).elementsEqual(sound.channels[0])
    #expect(isExact)
    let isExact2 = heard[1].prefix(150_000).elementsEqual(sound.channels[1])
    #expect(isExact2)
    #expect(heard[0].dropFirst(150_000).allSatisfy { $0 == 0 })
    #expect(rig.events.wait { $0 == .finished })
    #expect(rig.events.count { if case .underrun = $0 { true } else { false } } == 0)
    #expect(!rig.player.isPlaying && rig.player.position == 0)
  }

  @Test("A thousand loops follow each other without a wrong sample", arguments: [1_000, 30_011])
  func loops(frames: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<frames).write(path: path)
    let times = frames < 10_000 ? 1_000 : 40
    let rig = PlayerRig([PlayerItem(id: 1, path: path, loops: times - 1)])
    _ = rig.player.play()
    let heard = rig.run(frames * times + 1_000)
    let wrong = (0..<frames * times).first { heard[0][$0] != CountedSound.sample($0 % frames) }
    #expect(wrong == nil)
    #expect(heard[0].suffix(1_000).allSatisfy { $0 == 0 })
  }

  @Test("A hundred files are joined without a wrong sample")
  func joins() throws {
    let folder = try TemporaryFolder()
    var dice = SeededGenerator(seed: 3)
    var (items, expected): ([PlayerItem], [Float]) = ([], [])
    for index in 0..<100 {
      let frames = expected.count..<expected.count + Int.random(in: 1...20_000, using: &dice)
      let path = folder.file("\(index).\(index % 3 == 0 ? "flac" : "wav")")
      try CountedSound.sound(frames).write(path: path)
      items.append(PlayerItem(id: index, path: path))
      expected += frames.map { CountedSound.sample($0) }
    }
    let rig = PlayerRig(items)
    _ = rig.player.play()
    let heard = rig.run(expected.count)
    let isExact = heard[0] == expected
    #expect(isExact)
    _ = rig.run(100)
    #expect(rig.events.wait { $0 == .finished })
  }

  @Test("Several players of one plan start on the same frame, also in the middle of a period")
  func schedule() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<20_000).write(path: path)
    let reader = PlayerReader()
    let rigs = (0..<3).map { PlayerRig([PlayerItem(id: $0, path: path)], reader: reader) }
    for rig in rigs {
      try #require(rig.prepare())
      #expect(rig.run(1_000)[0].allSatisfy { $0 == 0 })
      _ = rig.player.play(at: 1_777)
    }
    for rig in rigs {
      let heard = rig.run(10_000)[0]
      #expect(heard.prefix(777).allSatisfy { $0 == 0 })
      let isExact = heard.dropFirst(777).elementsEqual((0..<9_223).map { CountedSound.sample($0) })
      #expect(isExact)
    }
  }

  @Test("A prepared player sounds in the next period, and a pause keeps the place without a click")
  func pause() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<200_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    try #require(rig.prepare())
    rig.waits = false
    _ = rig.player.play()
    let isExact = rig.run(256)[0].elementsEqual((0..<256).map { CountedSound.sample($0) })
    #expect(isExact)
    rig.waits = true
    _ = rig.run(60_000)
    _ = rig.player.pause()
    let faded = rig.run(1_000)[0]
    // 5 ms down to nothing, and nowhere a step.
    #expect(faded[200] != 0 && faded.dropFirst(240).allSatisfy { $0 == 0 })
    let place = 60_256 + 240
    #expect(abs(rig.player.position - Double(place) / 48_000) < 1e-6)
    _ = rig.player.play()
    let resumed = rig.run(2_000)[0]
    #expect(resumed[0] == 0)
    #expect(
      resumed.dropFirst(240).elementsEqual((place + 240..<place + 2_000).map { CountedSound.sample($0) }))
  }

  @Test("Stop keeps the place and gives the ring back; a second stop goes to the start")
  func stop() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<200_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    _ = rig.run(48_000)
    _ = rig.player.stop()
    _ = rig.run(1_024)
    let place = rig.player.position
    #expect(abs(place - 1.005) < 0.006)
    try #require(rig.waitUntilPrepared())
    _ = rig.player.play()
    let heard = rig.run(10_000)[0]
    let first = Int((heard[5_000] * 8_388_608).rounded()) - 5_000
    #expect(
      heard.dropFirst(240).elementsEqual((first + 240..<first + 10_000).map { CountedSound.sample($0) }))
    #expect(abs(Double(first) / 48_000 - place) < 1e-4)
    _ = rig.player.stop()
    _ = rig.run(1_024)
    _ = rig.player.stop()
    #expect(rig.player.position == 0)
    try #require(rig.waitUntilPrepared())
    _ = rig.player.play()
    let isExact = rig.run(1_000)[0].elementsEqual((0..<1_000).map { CountedSound.sample($0) })
    #expect(isExact)
  }
}
