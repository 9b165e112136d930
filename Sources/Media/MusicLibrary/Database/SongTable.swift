/// Writes songs into the database, in the order of the library. Used within a transaction.
struct SongTable {
  let database: Database

  /// Adds the song of a file.
  func insert(_ song: SongFacts, file: MediaID) throws(DatabaseError) {
    let order = song.order
    var place = try self.place(for: order)
    if place == nil {
      try renumber()
      place = try self.place(for: order)
    }
    try database.run(
      """
      INSERT INTO songs VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(place ?? 0), .integer(file.number), .init(song.kind.rawValue), .init(song.title),
      .init(song.artist), .init(song.album), .init(song.albumArtist), .init(song.genre), .init(song.composer),
      .init(song.folder), .init(song.track), .init(song.disc), .real(song.seconds), .init(song.isCompilation),
      .init(song.hasPicture), .bytes(order), .init(SortKey(song.title)), .init(SortKey(song.artist)),
      .init(SortKey(song.album)), .init(SortKey(song.albumArtist)), .init(SortKey(song.genre)),
      .init(SortKey(song.composer)))
  }

  /// Removes the song of a file, if it has one.
  func remove(file: MediaID) throws(DatabaseError) {
    try database.run("DELETE FROM songs WHERE file = ?", .integer(file.number))
  }

  /// Removes collections that have no song left.
  func removeEmptyCollections() throws(DatabaseError) {
    try database.run("DELETE FROM collections WHERE songs <= 0")
  }

  /// A free row number between the songs before and behind; nil if there is none.
  private func place(for order: [UInt8]) throws(DatabaseError) -> Int64? {
    let before = try database.number(
      "SELECT place FROM songs WHERE song_order <= ? ORDER BY song_order DESC, place DESC LIMIT 1",
      [.bytes(order)])
    let behind = try database.number(
      "SELECT place FROM songs WHERE song_order > ? ORDER BY song_order, place LIMIT 1", [.bytes(order)])
    switch (before, behind) {
    case (nil, nil): return Self.middle
    // Most songs of a first scan come at the end.
    case (let before?, nil): return before < Self.limit - Self.gap ? before + Self.gap : nil
    case (nil, let behind?): return behind > Self.gap ? behind - Self.gap : nil
    case (let before?, let behind?):
      // Songs that come one after the other mostly come in order: a small step leaves nearly all room to those that follow.
      return behind - before > 1 ? before + min(Self.step, (behind - before) / 2) : nil
    }
  }

  /// Gives all songs new places with equal gaps. Takes seconds for a large library.
  func renumber() throws(DatabaseError) {
    try database.run(
      """
      UPDATE songs SET place = numbered.place FROM
        (SELECT file, -row_number() OVER (ORDER BY song_order, place) AS place FROM songs) AS numbered
        WHERE songs.file = numbered.file
      """)
    let count = try database.number("SELECT count(*) FROM songs") ?? 0
    let first = Self.middle - count / 2 * Self.gap
    try database.run("UPDATE songs SET place = \(first) - place * \(Self.gap)")
    try database.run("INSERT INTO words(words) VALUES('delete-all')")
    try database.run(Schema.refillWords)
  }

  private static let limit: Int64 = 1 << 62
  private static let middle: Int64 = 1 << 61
  /// Room for a million songs on each side of the first one.
  private static let gap: Int64 = 1 << 40
  /// Room for a million songs in a gap that come in order, and for twenty that come in reverse.
  private static let step: Int64 = 1 << 20
}
