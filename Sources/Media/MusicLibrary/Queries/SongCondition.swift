/// A query as conditions on rows of `songs`.
struct SongCondition {
  /// Parts that all must hold, with a value for each question mark in them.
  var parts: [String] = []
  var values: [DatabaseValue] = []
  /// What the index of words must match; nil if it is not asked.
  var match: String? { matches.isEmpty ? nil : matches.joined(separator: " ") }
  private var matches: [String] = []
  /// Whether nothing can be found.
  private(set) var isEmpty = false

  /// Makes the conditions of a query, with the help of the database, which knows whether a value is the whole name of something.
  ///
  /// - Parameter playlist: the files of the playlist of a name.
  init(
    _ query: LibraryQuery, _ database: Database, playlist: (String) throws(DatabaseError) -> [MediaID]
  ) throws(DatabaseError) {
    matches = query.words.map(Self.beginning)
    usesIndex = query.terms.contains { $0.field != .genre }
    for term in query.terms { try add(term, database, playlist) }
  }

  /// Whether another field than the genre has an index to begin with.
  private var usesIndex = false

  private mutating func add(
    _ term: LibraryQuery.Term, _ database: Database, _ playlist: (String) throws(DatabaseError) -> [MediaID]
  ) throws(DatabaseError) {
    switch term.field {
    case .title: try add("title", term.value, database)
    case .artist: try add("artist", term.value, database)
    case .album: try add("album", term.value, database)
    case .albumartist: try add("album_artist", term.value, database, inWords: "albumartist")
    case .genre: try add("genre", term.value, database)
    case .composer: try add("composer", term.value, database)
    case .podcast:
      try add("album", term.value, database, and: "kind > 0 AND kind = \(Song.Kind.podcast.rawValue)")
    case .audiobook:
      try add("album", term.value, database, and: "kind > 0 AND kind = \(Song.Kind.audiobook.rawValue)")
    case .compilation: try add("album", term.value, database, and: "compilation")
    case .folder: try addFolder(term.value, database)
    case .playlist: add(try playlist(term.value))
    case .id: add(MediaID("id:\(term.value)").map { [$0] } ?? [])
    }
  }

  private mutating func add(
    _ column: String, _ value: String, _ database: Database, inWords: String? = nil,
    and condition: String? = nil
  ) throws(DatabaseError) {
    if let condition { parts.append(condition) }
    let key = DatabaseValue(SortKey(value))
    // An empty value asks for songs without one, or, of podcasts and the like, for all.
    if value.isEmpty, condition != nil { return }
    let known = try database.number("SELECT 1 FROM songs WHERE \(column)_key = ? LIMIT 1", [key])
    if value.isEmpty || known != nil {
      // Only one index is used, and a plus sign keeps a column from it: most values of these have few songs, but genres have many.
      parts.append(column == "genre" && usesIndex ? "+genre_key = ?" : "\(column)_key = ?")
      values.append(key)
    } else {
      addWords(value, column: inWords ?? column)
    }
  }

  private mutating func addWords(_ value: String, column: String) {
    let words = FoldedText(value).words
    if words.isEmpty { isEmpty = true }
    matches += words.map { "\(column) : \(Self.beginning(String($0)))" }
  }

  /// What matches words that begin like this one, in the language of the index of words.
  private static func beginning(_ word: String) -> String { "\"\(word.replacing("\"", with: "\"\""))\"*" }

  private mutating func addFolder(_ value: String, _ database: Database) throws(DatabaseError) {
    let path = value.split(separator: "/").joined(separator: "/")
    if path.isEmpty { return }
    let isWhole = try database.number("SELECT 1 FROM folders WHERE path = ? LIMIT 1", [.text(path)]) != nil
    guard isWhole else { return addWords(value, column: "folder") }
    parts.append(
      """
      file IN (SELECT id FROM files WHERE folder IN
        (SELECT id FROM folders WHERE path = ? UNION ALL SELECT id FROM folders WHERE path > ? AND path < ?))
      """)
    // The character behind / in ASCII is 0.
    values += [.text(path), .text("\(path)/"), .text("\(path)0")]
  }

  private mutating func add(_ files: [MediaID]) {
    if files.isEmpty { isEmpty = true }
    parts.append("file IN (\(files.map { "\($0.number)" }.joined(separator: ", ")))")
  }
}
