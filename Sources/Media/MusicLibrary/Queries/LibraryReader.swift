import MediaFolders
import Playlists

/// Answers queries from the database. One thread at a time may use it.
struct LibraryReader {
  private let database: Database
  private let folders: MediaFolders

  init(_ database: Database, _ folders: MediaFolders) { (self.database, self.folders) = (database, folders) }

  // MARK: Songs

  /// Songs that a query finds, in the order of the library; of a playlist alone, in its order.
  func find(_ text: String, from start: Int, count: Int) throws(DatabaseError) -> Page<Song> {
    let query = LibraryQuery(text)
    var playlist: [MediaID]?
    let condition = try SongCondition(query, database) { (name) throws(DatabaseError) in
      let files = try files(ofPlaylist: name)
      playlist = files
      return files
    }
    if condition.isEmpty { return Page(start: start, total: 0, items: []) }
    if query.words.isEmpty, query.terms.count == 1, let playlist {
      return try page(of: playlist, from: start, count: count)
    }
    // The index of words yields songs in the order of their places, and so does every other index for one value.
    let (from, conditions): (String, [String]) =
      switch (condition.match, condition.parts.isEmpty) {
      case (nil, _): ("songs", condition.parts)
      case (_?, true): ("words", ["words MATCH ?"])
      case (_?, false):
        ("songs", condition.parts + ["place IN (SELECT rowid FROM words WHERE words MATCH ?)"])
      }
    let clause = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let values = condition.values + (condition.match.map { [.text($0)] } ?? [])
    let column = from == "words" ? "rowid" : "place"
    let total = try database.number("SELECT count(*) FROM \(from) \(clause)", values) ?? 0
    let places = try database.rows(
      "SELECT \(column) FROM \(from) \(clause) ORDER BY \(column) LIMIT ? OFFSET ?",
      values + [.init(count), .init(start)]
    ) { $0.integer(0) }
    var songs: [Song] = []
    for place in places { try songs += song("place = ?", .integer(place)).map { [$0] } ?? [] }
    return Page(start: start, total: Int(total), items: songs)
  }

  /// All music by title; no podcasts and audiobooks.
  func songs(from start: Int, count: Int) throws(DatabaseError) -> Page<Song> {
    let total = try database.number("SELECT count(*) FROM songs WHERE kind = 0") ?? 0
    let songs = try database.rows(
      """
      \(Self.select) WHERE place IN
        (SELECT place FROM songs INDEXED BY songs_title WHERE kind = 0 ORDER BY title_key, place LIMIT ? OFFSET ?)
        ORDER BY title_key, place
      """, [.init(count), .init(start)], Self.song)
    return Page(start: start, total: Int(total), items: songs)
  }

  /// The song of an id.
  func song(_ id: MediaID) throws(DatabaseError) -> Song? { try song("songs.file = ?", .integer(id.number)) }

  /// The song of a file.
  func song(_ file: MediaFile) throws(DatabaseError) -> Song? {
    let slash = file.name.lastIndex(of: "/")
    let folder = slash.map { String(file.name[..<$0]) } ?? ""
    let name = slash.map { String(file.name[file.name.index(after: $0)...]) } ?? file.name
    return try song(
      "folders.root = ? AND folders.path = ? AND files.name = ?", .init(file.folder), .text(folder),
      .text(name))
  }

  /// The songs below a folder, in the order of paths.
  func songs(below file: MediaFile) throws(DatabaseError) -> [Song] {
    let songs = try database.rows(
      "\(Self.select) WHERE \(Self.isBelow)", Self.below(file), Self.song)
    return songs.map { (SortKey.path($0.name).bytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
      .map(\.1)
  }

  /// Whether a file is in a folder or below, for the values of `below`.
  private static let isBelow = "folders.root = ? AND (? = '' OR path = ? OR path > ? AND path < ?)"

  private static func below(_ folder: MediaFile) -> [DatabaseValue] {
    let path = folder.name
    return [.init(folder.folder), .text(path), .text(path), .text("\(path)/"), .text("\(path)0")]
  }

  private func song(_ condition: String, _ values: DatabaseValue...) throws(DatabaseError) -> Song? {
    try database.rows("\(Self.select) WHERE \(condition)", values, Self.song).first
  }

  private static let select = """
    SELECT file, root, folders.path, name, title, artist, album, album_artist, genre, composer, track, disc, seconds, kind, compilation, picture
      FROM songs JOIN files ON files.id = songs.file JOIN folders ON folders.id = files.folder
    """

  private static func song(_ row: Database.Row) -> Song {
    let (folder, name) = (row.text(2), row.text(3))
    return Song(
      id: MediaID(number: row.integer(0)), folder: row.int(1),
      name: folder.isEmpty ? name : "\(folder)/\(name)",
      title: row.text(4), artist: row.text(5), album: row.text(6), albumArtist: row.text(7),
      genre: row.text(8),
      composer: row.text(9), track: row.int(10), disc: row.int(11), seconds: row.real(12),
      kind: Song.Kind(rawValue: row.int(13)) ?? .music, isCompilation: row.bool(14), hasPicture: row.bool(15))
  }

  private func page(of files: [MediaID], from start: Int, count: Int) throws(DatabaseError) -> Page<Song> {
    var songs: [Song] = []
    for file in files.dropFirst(start).prefix(count) { try songs += song(file).map { [$0] } ?? [] }
    return Page(start: start, total: files.count, items: songs)
  }

  // MARK: Collections

  /// Albums, artists and so on, by title.
  func collections(
    _ kind: SongCollection.Kind, from start: Int, count: Int
  ) throws(DatabaseError) -> Page<SongCollection> {
    if kind == .playlists { return try playlists(from: start, count: count) }
    let total = try database.number(
      "SELECT count(*) FROM collections WHERE kind = ? AND songs > 0", [.init(kind.rawValue)])
    let items = try database.rows(
      """
      SELECT title, artist, songs FROM collections WHERE kind = ? AND songs > 0 ORDER BY key, artist_key LIMIT ? OFFSET ?
      """, [.init(kind.rawValue), .init(count), .init(start)]
    ) { row in
      SongCollection(
        kind: kind, title: row.text(0), artist: row.text(1), count: row.int(2),
        query: Self.query(kind, title: row.text(0), artist: row.text(1)))
    }
    return Page(start: start, total: Int(total ?? 0), items: items)
  }

  private static func query(_ kind: SongCollection.Kind, title: String, artist: String) -> String {
    let field: LibraryQuery.Field =
      switch kind {
      case .albums: .album
      case .artists: .artist
      case .genres: .genre
      case .composers: .composer
      case .podcasts: .podcast
      case .audiobooks: .audiobook
      case .compilations: .compilation
      case .playlists: .playlist
      }
    let by = artist.isEmpty ? "" : " albumartist:\(LibraryQuery.quoted(artist))"
    return "\(field.rawValue):\(LibraryQuery.quoted(title))\(by)"
  }

  private func playlists(from start: Int, count: Int) throws(DatabaseError) -> Page<SongCollection> {
    let total = try database.number("SELECT count(*) FROM playlists") ?? 0
    let items = try database.rows(
      """
      SELECT title, lines, path, name FROM playlists JOIN files ON files.id = playlists.file JOIN folders ON folders.id = files.folder
        ORDER BY title_key, root, path, name LIMIT ? OFFSET ?
      """, [.init(count), .init(start)]
    ) { row in
      let (folder, name) = (row.text(2), row.text(3))
      return SongCollection(
        kind: .playlists, title: row.text(0), artist: "", count: row.int(1),
        query: folder.isEmpty ? name : "\(folder)/\(name)")
    }
    return Page(start: start, total: Int(total), items: items)
  }

  /// The files of the first playlist of a title, as far as they are songs.
  private func files(ofPlaylist title: String) throws(DatabaseError) -> [MediaID] {
    let name = try database.first(
      """
      SELECT path, name FROM playlists JOIN files ON files.id = playlists.file JOIN folders ON folders.id = files.folder
        WHERE title_key = ? ORDER BY root, path, name LIMIT 1
      """, .init(SortKey(title))
    ) { $0.text(0).isEmpty ? $0.text(1) : "\($0.text(0))/\($0.text(1))" }
    guard let name, let content = try? PlaylistFile(in: folders).content(of: name) else { return [] }
    var files: [MediaID] = []
    for file in content.files { try files += song(file).map { [$0.id] } ?? [] }
    return files
  }

  // MARK: Counts

  /// How many songs there are, podcasts and audiobooks included.
  func count() throws(DatabaseError) -> Int { Int(try database.number("SELECT count(*) FROM songs") ?? 0) }

  /// Files that cannot be used, each with the reason.
  func unusable(from start: Int, count: Int) throws(DatabaseError) -> Page<UnusableFile> {
    try unusable("", [], from: start, count: count)
  }

  /// Files of a folder, and of the folders below, that cannot be used, each with the reason.
  func unusable(below folder: MediaFile, count: Int) throws(DatabaseError) -> Page<UnusableFile> {
    try unusable("AND \(Self.isBelow)", Self.below(folder), from: 0, count: count)
  }

  private func unusable(
    _ condition: String, _ values: [DatabaseValue], from start: Int, count: Int
  ) throws(DatabaseError) -> Page<UnusableFile> {
    let files =
      "FROM files JOIN folders ON folders.id = files.folder WHERE problem IS NOT NULL \(condition)"
    let total = try database.number("SELECT count(*) \(files)", values) ?? 0
    let items = try database.rows(
      "SELECT path, name, problem \(files) ORDER BY files.id LIMIT ? OFFSET ?",
      values + [.init(count), .init(start)]
    ) { row in
      UnusableFile(
        name: row.text(0).isEmpty ? row.text(1) : "\(row.text(0))/\(row.text(1))", reason: row.text(2))
    }
    return Page(start: start, total: Int(total), items: items)
  }
}
