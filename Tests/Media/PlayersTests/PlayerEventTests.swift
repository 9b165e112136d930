import AwaitedEvents
import Encoders
import Foundation
import MediaKernel
import Players
import SoundConversion
import SoundFiles
import TemporaryFolders
import Testing
import Threads

@Suite struct PlayerEventTests {
  private static func mark(_ event: PlayerEvent) -> PlayerMark? {
    if case .mark(let mark) = event { mark } else { nil }
  }

  private let folder: TemporaryFolder
  private let item: PlayerItem

  /// Makes a file of four seconds.
  init() throws {
    folder = try TemporaryFolder()
    item = PlayerItem(id: 1, path: folder.file("a.wav"))
    try CountedSound.sound(0..<192_000).write(path: item.path)
  }

  @Test("What an item says about itself is told before it sounds, and where the player stands")
  func facts() throws {
    let rig = PlayerRig([item])
    rig.player.seek(to: 1.5)
    rig.player.prepare()
    #expect(rig.events.wait { $0 == .known(item, ItemFacts(duration: 4, tags: SoundTags())) })
    let mark = rig.events.first { Self.mark($0).flatMap { $0.position == 1.5 ? $0 : nil } }
    #expect(mark?.item == item && mark?.speed == 0)
  }

  @Test(
    "The length of the present item is told before the player is prepared",
    arguments: Encoders.Format.allCases)
  func announced(format: Encoders.Format) throws {
    let long = try Encoders.write(CountedSound.sound(0..<240_000), format, in: folder.path, name: "long")
    let second = PlayerItem(id: 2, path: long)
    let rig = PlayerRig([item, second])
    #expect(rig.events.wait { $0 == .known(item, ItemFacts(duration: 4, tags: SoundTags())) })
    rig.player.seek(to: 0, item: 2)
    let told = try #require(
      rig.events.first { event -> ItemFacts? in
        if case .known(second, let facts) = event { facts } else { nil }
      })
    // An mp3 without the header of its encoder is estimated.
    #expect(abs(try #require(told.duration) - 5) < 0.05)
    #expect(rig.player.duration == told.duration && !rig.player.isPrepared)
  }

  @Test("Marks tell when something begins and ends to sound, and the position between follows from them")
  func marks() throws {
    let rig = PlayerRig([item])
    func told(_ isWanted: (PlayerMark) -> Bool) throws -> PlayerMark {
      try #require(rig.events.first { Self.mark($0).flatMap { isWanted($0) ? $0 : nil } })
    }
    _ = rig.player.play()
    _ = rig.run(4_800)
    let begun = try told { $0.speed == 1 }
    #expect(begun.item == item && (0...0.1).contains(begun.position))
    #expect(begun.position(at: begun.time + 1) == begun.position + 1)
    #expect(rig.events.wait { $0 == .item(item) })
    rig.player.seek(to: 3)
    try #require(rig.waitUntilPrepared())
    _ = rig.run(4_800)
    #expect((3...3.1).contains(try told { $0.speed == 1 && $0.position >= 3 }.position))
    rig.player.setRate(2)
    try #require(rig.waitUntilPrepared())
    _ = rig.run(9_600)
    #expect(try told { $0.speed == 2 }.position > 3)
    _ = rig.player.pause()
    _ = rig.run(4_800)
    let rest = try told { $0.speed == 0 && $0.position > 3 }
    #expect(rest.position == rig.player.position && rest.position(at: rest.time + 9) == rest.position)
  }

  @Test("Each loop is told with its number")
  func loops() throws {
    let item = PlayerItem(id: 2, path: folder.file("b.wav"), loops: PlayerItem.endless)
    try CountedSound.sound(0..<24_000).write(path: item.path)
    let rig = PlayerRig([item])
    _ = rig.player.play()
    _ = rig.run(12_000)
    #expect(rig.events.wait { $0 == .item(item) })
    for loop in 1...3 {
      _ = rig.run(24_000)
      #expect(rig.events.wait { $0 == .looped(item, count: loop) })
    }
    #expect(!rig.events.all.contains(.looped(item, count: 4)))
  }

  /// Whether a player comes to its end, in periods of real time.
  private func isEnding(_ rig: PlayerRig) -> Bool {
    rig.waits = false
    for _ in 0..<3_000 where rig.events.count({ $0 == .finished }) == 0 {
      _ = rig.run(256)
      usleep(1_000)
    }
    return rig.events.count { $0 == .finished } == 1 && !rig.player.isPlaying
  }

  @Test("The end of the last item is told also if a change comes as it ends")
  func lateChange() throws {
    let changes: [(Player) -> Void] = [
      { $0.setRate(1.5) }, { $0.setItems([PlayerItem(id: 1, path: $0.items[0].path, loops: 1)]) },
      { $0.seek(to: 1) },
    ]
    for change in changes + changes + changes {
      let rig = PlayerRig([item])
      _ = rig.player.play()
      _ = rig.run(191_900)
      change(rig.player)
      _ = rig.run(256)
      // A change that came in time is heard.
      #expect(isEnding(rig))
    }
  }

  @Test("The end of the last item is told when the player goes on that was paused as it ended")
  func pausedEnd() throws {
    let rig = PlayerRig([item])
    _ = rig.player.play()
    _ = rig.run(192_000)
    let old = rig.player.order
    _ = rig.player.pause()
    // The audio thread has not seen the pause.
    rig.player.store.pair.pointee.begin(old, frames: 256, time: rig.time, waits: false)
    rig.player.store.pair.pointee.end()
    let passes = rig.reader.passes
    while rig.reader.passes < passes + 3 { usleep(1_000) }
    _ = rig.run(256)
    _ = rig.player.play()
    #expect(isEnding(rig))
  }

  @Test("In freewheel, where an hour passes in a moment, marks come no faster than people look")
  func rare() throws {
    let item = PlayerItem(id: 2, path: folder.file("b.wav"), loops: PlayerItem.endless)
    try CountedSound.sound(0..<24_000).write(path: item.path)
    let rig = PlayerRig([item])
    let start = MonotonicTime.now
    _ = rig.player.play()
    _ = rig.run(2_400_000)
    let marks = rig.events.count { Self.mark($0) != nil }
    // Of a rest before, of the begin, and one for each tenth of a second.
    #expect(marks >= 1 && Double(marks) <= 3 + (MonotonicTime.now - start) / 0.1, "\(marks)")
  }

  @Test("The loudness of the present item and of the next one is told, by a cache that all players share")
  func loudness() throws {
    let next = PlayerItem(id: 2, path: folder.file("b.wav"))
    try CountedSound.sound(0..<24_000).write(path: next.path)
    let reader = PlayerReader(loudness: LoudnessCache(path: nil))
    let rig = PlayerRig([item, next], reader: reader)
    for item in [item, next] {
      let measured = try #require(try SoundLoudness.measure(path: item.path))
      #expect(rig.events.wait { $0 == .loudness(item, measured) })
    }
  }
}
