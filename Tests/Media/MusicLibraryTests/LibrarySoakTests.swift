import Chance
import Foundation
import SongFiles
import SystemCalls
import Testing
import Threads

@testable import MusicLibrary

/// The library of a large collection.
@Suite(.enabled(if: Soak.isRunning)) struct LibrarySoakTests {
  static let count = 100_000

  /// The longest of some runs of a query, in milliseconds, but for the first, which fills the caches.
  private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    try body()
    var longest = 0.0
    for _ in 0..<5 {
      let start = MonotonicTime.now
      try body()
      longest = max(longest, 1_000 * (MonotonicTime.now - start))
    }
    return longest
  }

  @Test("With 100,000 files every page comes within 50 ms, and an unchanged library opens none of them")
  func large() throws {
    let place = try LibraryPlace()
    try SongCollectionFolder.make(Self.count, in: place.media)
    let library = place.library()
    var start = MonotonicTime.now
    #expect(try library.scan() == Self.count)
    print("library: \(Self.count) files read in \(MonotonicTime.now - start) s")
    start = MonotonicTime.now
    #expect(try place.library().scan() == 0)
    print("library: looked through again in \(MonotonicTime.now - start) s")
    print("library: \(try System.stat(place.file.path).size >> 20) MB")
    var queries: [(String, () throws -> Void)] = [
      "", "a", "s", "love", "love night", "caf jazz", "artist:Artist 1", "artist:artist", "genre:jazz",
      "genre:jazz love",
      "genre:jazz artist:Artist 7", "title:love", "album:album", "album:Album 77", "folder:Artist 5",
      "composer:Composer 7",
      "nothing of the kind", "podcast:", "e 1",
    ].map { query in (query, { _ = try library.find(query) }) }
    queries.append(("find, the end", { _ = try library.find("", from: Self.count - 100) }))
    queries.append(("find a, the end", { _ = try library.find("a", from: Self.count - 100) }))
    for start in [0, Self.count / 2, Self.count - 100] {
      queries.append(("songs from \(start)", { _ = try library.songs(from: start) }))
    }
    for kind in SongCollection.Kind.allCases {
      for start in [0, 5_000] {
        queries.append(("\(kind) from \(start)", { _ = try library.collections(kind, from: start) }))
      }
    }
    queries.append(("count", { _ = try library.count() }))
    for (name, query) in queries {
      let time = try milliseconds(query)
      print("library: \(name): \((10 * time).rounded() / 10) ms")
      #expect(time < 50, "\(name)")
    }
    // One new file is found at once, also among so many.
    let watch = StatusWatch()
    library.start(pace: .full) { watch.take($0) }
    try watch.wait(until: { library.status.progress == 1 })
    #expect(library.status.opened == 0)
    try place.add("Artist 5/Fresh.flac", ["TITLE": "Xylophone"])
    try watch.wait(until: { try library.find("xylophone").total == 1 })
    library.stop()
  }
}
