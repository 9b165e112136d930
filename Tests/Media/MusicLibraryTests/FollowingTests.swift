import Foundation
import MediaFolders
import SongFiles
import SystemCalls
import TemporaryFolders
import Testing

@testable import MusicLibrary

@Suite struct FollowingTests {
  let place: LibraryPlace
  let library: MusicLibrary
  let watch = StatusWatch()

  init() throws {
    place = try LibraryPlace()
    try SongCollectionFolder.make(100, in: place.media)
    library = place.library()
  }

  private func start() throws {
    library.start(pace: .full) { [watch] in watch.take($0) }
    try watch.wait(until: { try library.count() == 100 })
  }

  private func titles(_ query: String) throws -> [String] { try library.find(query).items.map(\.title) }

  @Test("New, changed, moved and removed files and folders are followed, and no other file is opened")
  func changes() throws {
    try start()
    #expect(library.status.opened == 100 && library.status.progress == 1 && library.status.problem == nil)
    try place.add("Artist 0/New/deep/x.flac", ["TITLE": "Fresh"])
    try watch.wait(until: { try titles("fresh") == ["Fresh"] })
    try place.add("Artist 0/New/deep/x.flac", ["TITLE": "Changed"])
    try watch.wait(until: { try titles("changed") == ["Changed"] && titles("fresh").isEmpty })
    let id = try #require(try library.find("changed").items.first).id
    try place.move("Artist 0/New", to: "Moved")
    try watch.wait(until: { try library.song(id).name == "Moved/deep/x.flac" })
    // The folder is watched under its new name.
    try place.add("Moved/deep/y.mp3", ["TITLE": "Later"])
    try watch.wait(until: { try library.find("later").items.map(\.name) == ["Moved/deep/y.mp3"] })
    try place.remove("Artist 1")
    try watch.wait(until: { try library.count() == 62 })
    let opened = library.status.opened
    #expect((104...110).contains(opened), "\(opened)")
    library.stop()
    #expect(try place.library().scan() == 0)
  }

  @Test("An unchanged library is opened nowhere at the next start")
  func restart() throws {
    try start()
    library.stop()
    let second = place.library()
    let watch = StatusWatch()
    second.start(pace: .full) { watch.take($0) }
    try watch.wait(until: { second.status.progress == 1 })
    #expect(second.status.opened == 0)
    second.stop()
    #expect(try second.count() == 100)
  }

  @Test("Random changes are followed to the same library as one that is made anew")
  func randomChanges() throws {
    try start()
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    var changes = RandomChanges(place, seed: seed)
    for _ in 0..<80 { try changes.make() }
    let fresh = MusicLibrary(MediaFolders([place.media]), stateFolder: place.folder.file("fresh"))
    try fresh.scan()
    let expected = try ScanTests.content(of: fresh)
    try watch.wait(until: { try ScanTests.content(of: library) == expected })
  }

  @Test("Events that the system dropped lead to a look at everything")
  func overflow() throws {
    let watch = LibraryWatch()
    watch.watch(.init(root: 0, path: ""), at: place.media)
    try place.add("a.flac")
    try place.add("b.flac")
    let limit =
      Int(
        try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)) ?? 16_384
    // Equal events in a row count once.
    for index in 0...limit {
      try System.chmod("\(place.media)/\(index % 2 == 0 ? "a" : "b").flac", index % 4 < 2 ? 0o600 : 0o644)
    }
    var changes = LibraryWatch.Changes()
    watch.take(into: &changes)
    #expect(changes.isAll)
  }

  @Test("A media folder that comes back is found again")
  func returningFolder() throws {
    try start()
    try FileManager.default.moveItem(atPath: place.media, toPath: place.media + ".away")
    try watch.wait(until: { library.status.problem != nil })
    #expect(
      library.status.problem == "the media folder \(place.media) is not there; its songs stay in the library")
    try FileManager.default.moveItem(atPath: place.media + ".away", toPath: place.media)
    try place.add("back.flac", ["TITLE": "Back"])
    try watch.wait(until: { try titles("back") == ["Back"] && library.status.problem == nil })
    #expect(library.status.opened == 101)
  }

  @Test("A library that is lost while the router runs is made again, with the same ids")
  func lostFile() throws {
    try start()
    let before = try library.find("").items.map(\.id)
    for ending in ["", "-wal", "-shm"] { try? System.unlink(place.file.path + ending) }
    _ = try library.count()
    try watch.wait(until: { try library.count() == 100 })
    #expect(try library.find("").items.map(\.id) == before)
  }

  @Test("The thread has the lowest priority, and ends when it is told to, also within a scan")
  func thread() throws {
    let place = try LibraryPlace()
    try SongCollectionFolder.make(2_000, in: place.media)
    let library = place.library()
    let watch = StatusWatch()
    library.start { watch.take($0) }
    try watch.waitForStatus()
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    let policies = threads.compactMap { thread -> Int32? in
      let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
      return name == "mr-library\n" ? sched_getscheduler(Int32(thread)!) : nil
    }
    // SCHED_IDLE (sched.h)
    #expect(policies.contains(5))
    library.stop()
    #expect(try library.count() < 2_000)
  }
}
