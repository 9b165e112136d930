import Chance
import SongFiles
import Tags
import Testing

@testable import MusicLibrary

@Suite struct PlaceTests {
  /// A song's facts with this album and track.
  static func facts(_ artist: Int, _ album: Int, _ track: Int) -> SongFacts {
    var tags = FileTags()
    (tags.title, tags.artist, tags.album, tags.track) = ("T\(track)", "A\(artist)", "B\(album)", track)
    return SongFacts(tags, folder: "f", name: "\(artist) \(album) \(track).flac")
  }

  @Test(
    "However songs come and go, their places are in the order of the library, and words find them",
    arguments: 0..<6)
  func order(seed: Int) throws {
    let place = try LibraryPlace()
    let database = try place.file.open()
    let table = SongTable(database: database)
    var generator = SeededGenerator(seed: UInt64(seed))
    try database.run("BEGIN")
    var files: [MediaID] = []
    for number in 1...400 {
      let (artist, album) = (
        Int.random(in: 0..<4, using: &generator), Int.random(in: 0..<4, using: &generator)
      )
      // In some runs all come at one place, which uses up the gaps.
      let track = seed < 3 ? number : 500 - number
      let file = MediaID(number: Int64(number))
      try table.insert(Self.facts(seed % 2 * artist, seed % 2 * album, track), file: file)
      files.append(file)
      if number % 5 == 0 {
        try table.remove(file: files.remove(at: Int.random(in: 0..<files.count, using: &generator)))
      }
    }
    try database.run("COMMIT")
    let orders = try database.rows("SELECT song_order FROM songs ORDER BY place") { $0.bytes(0) }
    #expect(orders.count == 320)
    #expect(zip(orders, orders.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
    try check(database)
    try database.run("BEGIN")
    try table.renumber()
    try database.run("COMMIT")
    #expect(try database.rows("SELECT song_order FROM songs ORDER BY place") { $0.bytes(0) } == orders)
    try check(database)
  }

  /// The index of words and the collections agree with the songs.
  private func check(_ database: Database) throws {
    #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    for artist in 0..<4 {
      let found = try database.rows(
        "SELECT rowid FROM words WHERE words MATCH 'artist : \"a\(artist)\"' ORDER BY rowid"
      ) {
        $0.integer(0)
      }
      let known = try database.rows("SELECT place FROM songs WHERE artist = 'A\(artist)' ORDER BY place") {
        $0.integer(0)
      }
      #expect(found == known)
      let count = try database.number(
        "SELECT songs FROM collections WHERE kind = 2 AND title = 'A\(artist)'")
      #expect(Int(count ?? 0) == known.count)
    }
  }
}
