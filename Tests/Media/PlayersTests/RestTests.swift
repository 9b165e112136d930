import AwaitedEvents
import Encoders
import Foundation
import MediaKernel
import Players
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct RestTests {
  /// Bytes of memory of this process that are not of files.
  private static func memory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1_024
  }

  @Test(
    "Players cost memory only when they are prepared: 64 take less than 2 MB before, and less than 16 MB after"
  )
  func memory() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<480_000).write(path: path)
    // In a process of its own, where nothing else needs memory.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let reader = PlayerReader()
      let events = AwaitedEvents<PlayerEvent>()
      func players() -> [Player] {
        (0..<64).map { _ in
          let player = Player(reader, channels: 2, sampleRate: 48_000) { events.add($0) }
          player.setItems([PlayerItem(id: 1, path: path)])
          return player
        }
      }
      // One that warms up what is made once.
      let first = PlayerRig([PlayerItem(id: 1, path: path)], reader: reader)
      precondition(first.prepare())
      let before = RestTests.memory()
      let all = players()
      let made = RestTests.memory()
      for player in all { player.prepare() }
      precondition(events.wait(64) { $0 == .prepared })
      let prepared = RestTests.memory()
      precondition(made - before < 2_000_000, "\(made - before)")
      precondition(prepared - before < 16_000_000, "\(prepared - before)")
      for player in all { _ = player.release() }
    }
  }

  @Test("The reader thread sleeps while nothing plays, also with prepared players")
  func asleep() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<480_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    try #require(rig.prepare())
    _ = rig.run(256)
    _ = rig.player.play()
    _ = rig.run(10_000)
    _ = rig.player.stop()
    _ = rig.run(1_000)
    // It gives the ring back first, which takes periods of the audio thread.
    var before = -1
    while before != rig.reader.passes {
      before = rig.reader.passes
      _ = rig.run(256)
      usleep(100_000)
    }
  }

  @Test("A released player has no files open, and plays on from its place when it is told to")
  func release() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<480_000).write(path: path)
    func isOpen() -> Bool {
      let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return links.contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
    }
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    _ = rig.player.play()
    _ = rig.run(48_000)
    #expect(isOpen())
    _ = rig.player.release()
    _ = rig.run(1_000)
    let end = Date(timeIntervalSinceNow: 20)
    while isOpen(), Date() < end { usleep(1_000) }
    #expect(!isOpen() && rig.player.position == 1 && !rig.player.isPrepared)
    _ = rig.player.play()
    let heard = rig.run(1_000)[0]
    let isExact = heard.dropFirst(240).elementsEqual((48_240..<49_000).map { CountedSound.sample($0) })
    #expect(isExact)
  }

  enum Change: CaseIterable { case added, insertedBefore, loops, rate }

  @Test(
    "A released player keeps its place when its list, its loops or its speed change",
    arguments: Change.allCases)
  func change(_ change: Change) throws {
    let folder = try TemporaryFolder()
    let (path, other) = (folder.file("a.wav"), PlayerItem(id: 2, path: folder.file("b.wav")))
    try CountedSound.sound(0..<480_000).write(path: path)
    try CountedSound.sound(500_000..<510_000).write(path: other.path)
    let item = PlayerItem(id: 1, path: path)
    let rig = PlayerRig([item])
    _ = rig.player.play()
    _ = rig.run(48_000)
    _ = rig.player.release()
    _ = rig.run(1_000)
    switch change {
    case .added: rig.player.setItems([item, other])
    case .insertedBefore: rig.player.setItems([other, item])
    case .loops: rig.player.setItems([PlayerItem(id: 1, path: path, loops: 3)])
    case .rate: rig.player.setRate(1.25)
    }
    #expect(rig.player.position == 1 && rig.player.item?.id == 1)
    _ = rig.player.play()
    let heard = rig.run(1_000)[0]
    if change == .rate {
      #expect(rig.player.position > 1)
    } else {
      #expect(heard.dropFirst(240).elementsEqual((48_240..<49_000).map { CountedSound.sample($0) }))
    }
  }

  @Test("A disk that hangs makes silence with a fade and a count, and the sound comes back by itself")
  func hanging() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try CountedSound.sound(0..<480_000).write(path: path)
    let rig = PlayerRig([PlayerItem(id: 1, path: path)])
    try #require(rig.prepare())
    rig.waits = false
    _ = rig.player.play()
    // Periods come faster than any disk: the ring runs dry.
    var heard = rig.run(240_000)[0]
    #expect(rig.player.store.underruns > 0)
    #expect(rig.events.wait { if case .underrun = $0 { true } else { false } })
    // Whatever is heard is in order, with fades of 2 ms between.
    rig.waits = true
    heard += rig.run(10_000)[0]
    let exact = heard.filter { $0 != 0 }.map { ($0 * 8_388_608).rounded() }
    #expect(exact.max() ?? 0 > 12_500)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.06 / 48 })
  }
}
