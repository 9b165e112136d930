import Foundation
import MediaFolders
import SongFiles
import Tags
import TemporaryFolders
import Testing

@testable import MusicLibrary

@Suite struct ScanTests {
  @Test("2,000 files are found once, listed page by page, and not opened again")
  func manyFiles() throws {
    let place = try LibraryPlace()
    try SongCollectionFolder.make(2_000, in: place.media)
    let library = place.library()
    var progress: [Double] = []
    #expect(try library.scan(report: { progress.append($0) }) == 2_000)
    #expect(
      progress.first == 0 && progress.last == 1 && zip(progress, progress.dropFirst()).allSatisfy { $0 <= $1 }
    )
    #expect(try library.count() == 2_000)
    #expect(try library.scan() == 0)
    #expect(try place.library().scan() == 0, "another start opens no file")

    let albums = try library.collections(.albums, from: 0, count: 30)
    #expect(albums.total == 200 && albums.items.count == 30)
    #expect(albums.items.map(\.title) == (0..<30).map { "Album \($0)" }, "numbers count as numbers")
    #expect(
      albums.items[7]
        == SongCollection(
          kind: .albums, title: "Album 7", artist: "Artist 1", count: 10,
          query: #"album:"Album 7" albumartist:"Artist 1""#))
    let album = try library.find(albums.items[7].query)
    #expect(album.total == 10 && album.items.map(\.track) == Array(1...10))
    #expect(album.items.map(\.name) == (70..<80).map(SongCollectionFolder.name))
    #expect(
      try library.collections(.artists, from: 48, count: 10).items.map(\.title) == ["Artist 48", "Artist 49"])
    #expect(try library.collections(.genres).items.map(\.count) == [500, 500, 500, 500])
    #expect(try library.collections(.composers).total == 200)

    var titles: [String] = []
    for start in stride(from: 0, to: 2_000, by: 300) {
      let page = try library.songs(from: start, count: 300)
      #expect(page.total == 2_000 && page.start == start)
      titles += page.items.map(\.title)
    }
    #expect(titles.count == 2_000 && Set(titles).count == 2_000)
    #expect(titles == titles.sorted { SortKey($0).bytes.lexicographicallyPrecedes(SortKey($1).bytes) })
    #expect(try library.songs(from: 5_000).items.isEmpty)

    let found = try library.find("cafe")
    let expected = (0..<2_000).filter { SongCollectionFolder.tags(of: $0)[0].value.contains("Café") }
    #expect(found.total == expected.count && found.total > 20)
    #expect(
      try library.find("caf jazz", count: 2_000).items.allSatisfy {
        $0.genre == "Jazz" && $0.title.contains("Caf")
      })
    #expect(try library.find("", from: 1_990).items.count == 10)
    #expect(try library.find("nothing of the kind").total == 0)
  }

  @Test("A song has all that its file and its folder tell")
  func facts() throws {
    let place = try LibraryPlace()
    for ending in SongFile.samples {
      try place.write(try SongFile.sample(ending), to: "Jazz/\(ending).\(ending)")
    }
    try place.add("Podcasts/Show/1.mp3", ["TITLE": "First"])
    try place.add("Books/b.flac", ["TITLE": "Chapter", "GENRE": "Audiobook", "ALBUM": "The Whale"])
    try place.add("Untagged.mp3")
    try place.write(
      try SongFile.sample("wav").prefix(4) + (try SongFile.sample("caf")), to: "broken.wav")
    try place.write([UInt8](Data(contentsOf: URL(filePath: SongFile.path("caf")))), to: "tone.caf")
    let library = place.library()
    try library.scan()
    let songs = try library.find("folder:Jazz").items
    #expect(songs.count == SongFile.samples.count)
    for song in songs {
      #expect(
        song.title == "Café Größe" && song.albumArtist == "Various Artists" && song.hasPicture, "\(song.name)"
      )
      #expect(song.track == 3 && song.disc == 2 && song.isCompilation && (0.24...0.32).contains(song.seconds))
      #expect(try library.cover(song.id)?.bytes.count == 69)
      #expect(try library.song(song.id) == song && library.file(song.id).name == song.name)
    }
    #expect(try library.collections(.compilations).items.map(\.title) == ["Blue"])
    let podcasts = try library.collections(.podcasts)
    #expect(podcasts.items.map(\.title) == ["Show"])
    #expect(try library.find(podcasts.items[0].query).items.map(\.title) == ["First"])
    #expect(try library.collections(.audiobooks).items.map(\.title) == ["The Whale"])
    #expect(try library.find("audiobook:").items.map(\.title) == ["Chapter"])
    let music = try library.songs().items.map(\.title)
    #expect(
      music.contains("Untagged") && music.contains("tone") && !music.contains("First")
        && !music.contains("Chapter"))
    #expect((0.2...0.3).contains(try #require(try library.find("title:tone").items.first).seconds))
    #expect(try library.unusable().items.map(\.name) == ["broken.wav"])
  }

  @Test("A picture beside the song is its cover if the song has none")
  func folderCover() throws {
    let place = try LibraryPlace()
    try place.add("A/a.flac")
    try place.write([1, 2, 3], to: "A/Folder.JPG")
    let library = place.library()
    try library.scan()
    let song = try #require(try library.songs().items.first)
    #expect(try library.cover(song.id) == .init(type: "image/jpeg", bytes: [1, 2, 3]))
  }

  @Test(
    "Hidden files, links, other files and files that cannot be read are no songs, and bad ones are not opened again"
  )
  func others() throws {
    let place = try LibraryPlace()
    try place.add(".hidden.flac")
    try place.add(".trash/a.flac")
    try place.write(Array("text".utf8), to: "notes.txt")
    try place.write(Array("text".utf8), to: "fake.mp3")
    try place.write([], to: "empty.wav")
    try place.add("real.flac")
    let outside = try place.folder.write("x", to: "secret.flac")
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.media)/link.flac", withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(atPath: "\(place.media)/up", withDestinationPath: "..")
    #expect(mkfifo("\(place.media)/pipe.wav", 0o600) == 0)
    let library = place.library()
    #expect(try library.scan() == 3)
    #expect(try library.songs().items.map(\.title) == ["real"])
    let bad = try library.unusable().items.sorted { $0.name < $1.name }
    #expect(bad.map(\.name) == ["empty.wav", "fake.mp3"])
    #expect(
      bad.map(\.reason) == ["it has no bytes", "its first bytes are those of no format that is read"])
    #expect(try library.scan() == 0)
  }

  @Test("A file that moves keeps its id, and one that is tagged anew as well")
  func ids() throws {
    let place = try LibraryPlace()
    for index in 0..<20 { try place.add("A/\(index).flac", ["TITLE": "T\(index)"]) }
    let library = place.library()
    try library.scan()
    func ids() throws -> [String: MediaID] {
      Dictionary(uniqueKeysWithValues: try library.songs().items.map { ($0.title, $0.id) })
    }
    let before = try ids()
    try place.move("A", to: "Z/New")
    try place.move("Z/New/3.flac", to: "three.flac")
    #expect(try library.scan() == 20)
    #expect(try ids() == before)
    #expect(try library.file(try #require(before["T3"])).name == "three.flac")
    try place.add("three.flac", ["TITLE": "Other"])
    try library.scan()
    #expect(try library.song(try #require(before["T3"])).title == "Other")
    try place.remove("three.flac")
    try library.scan()
    #expect(throws: LibraryError.unknown(try #require(before["T3"]))) { try library.song(before["T3"]!) }
  }

  @Test("A hard link is a file of its own")
  func hardLinks() throws {
    let place = try LibraryPlace()
    try place.add("a.flac")
    let library = place.library()
    try library.scan()
    try FileManager.default.linkItem(atPath: "\(place.media)/a.flac", toPath: "\(place.media)/b.flac")
    try library.scan()
    let songs = try library.songs().items
    #expect(songs.map(\.name) == ["a.flac", "b.flac"] && songs[0].id != songs[1].id)
  }

  @Test("A media folder that is away keeps its songs, and its files are not opened when it is back")
  func awayFolder() throws {
    let place = try LibraryPlace()
    try place.add("a.flac")
    let library = place.library()
    try library.scan()
    try FileManager.default.moveItem(atPath: place.media, toPath: place.media + ".away")
    #expect(try library.scan() == 0 && library.count() == 1)
    try FileManager.default.moveItem(atPath: place.media + ".away", toPath: place.media)
    #expect(try library.scan() == 0 && library.count() == 1)
  }

  @Test("A scan that is stopped keeps what it has found, and the next one goes on")
  func stopped() throws {
    let place = try LibraryPlace()
    try SongCollectionFolder.make(2_000, in: place.media)
    let library = place.library()
    let first = try library.scan(isStopped: { true })
    #expect(first > 0 && first < 2_000)
    #expect(try library.scan() == 2_000 - first)
    #expect(try library.count() == 2_000)
  }

  @Test("Two scans at once share the work, and queries go on meanwhile")
  func twoScans() async throws {
    let place = try LibraryPlace()
    try SongCollectionFolder.make(1_000, in: place.media)
    let libraries = [place.library(), place.library(), place.library()]
    let opened = try await withThrowingTaskGroup(of: Int.self) { group in
      for library in libraries.dropLast() { group.addTask { try library.scan() } }
      group.addTask {
        while try libraries[2].count() < 1_000 { _ = try libraries[2].find("love") }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(opened == 1_000)
    #expect(try libraries[2].find("", count: 2_000).items.count == 1_000)
  }

  @Test("Programs that start at once on a new library wait for each other to make it")
  func newLibrary() async throws {
    for _ in 0..<20 {
      let place = try LibraryPlace()
      try await withThrowingTaskGroup { group in
        for library in (0..<4).map({ _ in place.library() }) { group.addTask { try library.count() } }
        for try await count in group { #expect(count == 0) }
      }
    }
  }

  @Test("Whatever changes in the folders, the library is as one that is made anew")
  func randomChanges() throws {
    let place = try LibraryPlace()
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    var changes = RandomChanges(place, seed: seed)
    let library = place.library()
    for round in 0..<12 {
      for _ in 0..<15 { try changes.make() }
      try library.scan()
      let fresh = MusicLibrary(MediaFolders([place.media]), stateFolder: place.folder.file("fresh\(round)"))
      try fresh.scan()
      let difference = try Self.content(of: library).difference(from: Self.content(of: fresh))
      #expect(difference.isEmpty, "seed \(seed): \(difference)")
    }
  }

  /// Everything but the ids.
  static func content(of library: MusicLibrary) throws -> [String] {
    var lines = try library.find("", count: 10_000).items.map {
      "\($0.name) \($0.title) \($0.artist) \($0.album) \($0.kind)"
    }
    for kind in SongCollection.Kind.allCases {
      lines += try library.collections(kind, count: 10_000).items.map { "\($0)" }
    }
    for word in ["love", "album:A", "artist:B", "genre:podcast", "folder:one"] {
      lines += try library.find(word, count: 10_000).items.map { "\(word) \($0.name)" }
    }
    return lines + (try library.unusable(count: 10_000).items.map { "\($0)" }.sorted())
  }
}
