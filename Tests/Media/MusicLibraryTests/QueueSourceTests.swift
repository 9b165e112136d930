import Foundation
import Queues
import SongFiles
import Testing

@testable import MusicLibrary

@Suite struct QueueSourceTests {
  let place: LibraryPlace
  let library: MusicLibrary

  init() throws {
    place = try LibraryPlace()
    try place.add(
      "Joni/Blue/2 b.flac",
      ["TITLE": "My Old Man", "ARTIST": "Joni Mitchell", "ALBUM": "Blue", "TRACKNUMBER": "3"])
    try place.add(
      "Joni/Blue/10 a.flac",
      ["TITLE": "All I Want", "ARTIST": "Joni Mitchell", "ALBUM": "Blue", "TRACKNUMBER": "1"])
    try place.add(
      "Miles/so.mp3", ["TITLE": "So What", "ARTIST": "Miles Davis", "ALBUM": "Kind of Blue", "GENRE": "Jazz"])
    try place.write(
      Array("#PLAYLIST:Walk-in\nMiles/so.mp3\nJoni/Blue/2 b.flac\n../secret.wav\nMiles/so.mp3\n".utf8),
      to: "w.m3u8")
    library = place.library()
    try library.scan()
  }

  private func titles(_ word: String) -> [String] { library.items(for: word).items.map(\.title) }

  @Test("Files, folders, playlists, ids and queries are added in the order in which they are to be heard")
  func words() throws {
    #expect(titles("Miles/so.mp3") == ["So What"])
    #expect(titles("Joni") == ["My Old Man", "All I Want"], "a folder is in the order of its names")
    #expect(
      titles("album:Blue") == ["All I Want", "My Old Man"],
      "an album is in the order of its tracks, and is called so")
    #expect(titles("album:kind") == ["So What"])
    #expect(titles("artist:joni") == ["All I Want", "My Old Man"])
    #expect(titles("blue man") == ["My Old Man"])
    #expect(titles("genre:jazz album:Kind of Blue") == ["So What"])
    #expect(titles("folder:Joni/Blue").count == 2 && titles("folder:miles") == ["So What"])
    #expect(titles("playlist:walk-in") == ["So What", "My Old Man", "So What"])
    #expect(titles("playlist:walk-in artist:joni") == ["My Old Man"])
    let song = try #require(try library.find("so what").items.first)
    #expect(library.items(for: "\(song.id)") == QueueAddition([QueueItem(song)]))
    #expect(titles(".").count == 3)
    let playlist = library.items(for: "w.m3u8")
    #expect(playlist.items.map(\.title) == ["So What", "My Old Man", "So What"])
    #expect(
      playlist.problems.count == 1 && playlist.problems[0].hasPrefix("../secret.wav in the playlist w.m3u8: ")
    )
    #expect(try library.collections(.playlists).items.map(\.query) == ["w.m3u8"])
    #expect(try library.collections(.playlists).items.map(\.title) == ["Walk-in"])
  }

  @Test("A file that the library does not know yet is taken by its name")
  func unknownFile() throws {
    try place.add("New one.flac", ["TITLE": "New"])
    #expect(
      library.items(for: "New one.flac") == QueueAddition([QueueItem(name: "New one.flac", title: "New one")])
    )
  }

  @Test(
    "A folder that no scan has come to gives its files in the same order, without hidden ones and those of other kinds"
  )
  func unscannedFolder() throws {
    for name in ["Set/2 b.flac", "Set/10 a.flac", "Set/Encore/x.flac"] { try place.add(name, ["TITLE": "T"]) }
    for name in ["Set/.hidden.flac", "Set/cover.jpg"] { try place.write([1], to: name) }
    #expect(
      library.items(for: "Set").items.map(\.name) == ["Set/2 b.flac", "Set/10 a.flac", "Set/Encore/x.flac"])
    try library.scan()
    #expect(
      library.items(for: "Set").items.map(\.name) == ["Set/2 b.flac", "Set/10 a.flac", "Set/Encore/x.flac"])
  }

  @Test(
    "What means nothing is refused with the reason",
    arguments: [
      ("../secret.wav", "leads out of the media folder"), ("/etc/passwd", "is an absolute path"),
      ("no/such.wav", "there is no no/such.wav"),
      ("xyzzy", "and no song has these words"), ("album:xyzzy", "no song is found"),
      ("id:0000000000001", "no song is found"),
      (" ", "an empty text means no file"), ("playlist:none", "no song is found"), ("*", "no song"),
    ])
  func refusals(word: String, reason: String) {
    let addition = library.items(for: word)
    #expect(addition.items.isEmpty && addition.problems.count == 1)
    #expect(addition.problems.first?.contains(reason) == true, "\(addition.problems)")
  }

  @Test("Hostile queries are words like any other")
  func hostileQueries() throws {
    for text in [
      #"""#, "'; DROP TABLE songs; --", "AND OR NOT", "NEAR(", "title:\"", "a*b^c", "{title}", "album:'",
      "\u{0}", "(", "-", "col : x",
    ] {
      _ = try library.find(text)
      for field in LibraryQuery.Field.allCases { _ = try library.find("\(field.rawValue):\(text)") }
    }
    #expect(try library.count() == 3)
  }
}
