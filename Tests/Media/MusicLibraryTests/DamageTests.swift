import Chance
import Foundation
import SongFiles
import SystemCalls
import TemporaryFolders
import Testing

@testable import MusicLibrary

@Suite struct DamageTests {
  let place: LibraryPlace
  let library: MusicLibrary
  let ids: [MediaID]

  init() throws {
    place = try LibraryPlace()
    try SongCollectionFolder.make(60, in: place.media)
    library = place.library()
    try library.scan()
    ids = try library.find("").items.map(\.id)
  }

  /// Has everything in the library's file, and closes it.
  private func settle() throws {
    let database = try place.file.open()
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func expectRebuilt(_ library: MusicLibrary, _ comment: Comment? = nil) throws {
    try library.scan()
    #expect(try library.find("").items.map(\.id) == ids, comment)
    #expect(try library.find("love").total == place.library().find("love").total, comment)
  }

  @Test(
    "A file that is no database is replaced",
    arguments: ["", "SQLite format 3\u{0}", "garbage", String(repeating: "x", count: 100_000)])
  func garbage(text: String) throws {
    try settle()
    try WholeFile.replace(place.file.path, with: Array(text.utf8), permissions: 0o600)
    let second = place.library()
    #expect(try second.count() == 0)
    try expectRebuilt(second)
  }

  @Test("A truncated file is replaced, wherever it ends")
  func truncated() throws {
    try settle()
    let bytes = try WholeFile.bytes(place.file.path)
    for part in [100, 4_096, bytes.count / 3, bytes.count / 2, bytes.count - 4_096] {
      try WholeFile.replace(place.file.path, with: Array(bytes.prefix(part)), permissions: 0o600)
      try expectRebuilt(place.library(), "\(part) of \(bytes.count)")
    }
  }

  @Test("A search index whose version cannot be read is made anew")
  func indexOfAnotherVersion() throws {
    try settle()
    try place.file.open().run("UPDATE words_config SET v = 99 WHERE k = 'version'")
    try expectRebuilt(place.library())
  }

  @Test("Damaged pages never end the program, and what a scan leaves is whole")
  func damagedPages() throws {
    try settle()
    let bytes = try WholeFile.bytes(place.file.path)
    var generator = SeededGenerator(seed: FuzzBudget.seed(51))
    for _ in FuzzBudget(rounds: 25) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      for ending in ["", "-wal", "-shm"] { try? System.unlink(place.file.path + ending) }
      try WholeFile.replace(place.file.path, with: damaged, permissions: 0o600)
      let second = place.library()
      _ = try? second.find("love")
      _ = try? second.collections(.albums)
      try second.scan()
      #expect(try LibraryFile.isSound(place.file.open()))
    }
  }

  @Test("A library of another version is replaced")
  func otherVersion() throws {
    try place.file.open().run("PRAGMA user_version = 99")
    try expectRebuilt(place.library())
  }

  @Test("A lost file is made again, also under a library that is open")
  func lost() throws {
    for ending in ["", "-wal", "-shm"] { try? System.unlink(place.file.path + ending) }
    #expect(try library.count() == 0)
    try expectRebuilt(library)
  }

  @Test("A state folder that cannot be written is reported with its path")
  func unwritable() throws {
    let blocked = MusicLibrary(library.folders, stateFolder: try place.folder.write("", to: "file"))
    let error = #expect(throws: LibraryError.self) { try blocked.scan() }
    #expect(error?.description.hasPrefix("the library \(place.folder.path)/file/library-") == true)
  }
}
