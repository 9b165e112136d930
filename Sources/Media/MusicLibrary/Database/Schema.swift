/// The tables of a library.
///
/// `files` is what a scan compares with the disk, `songs` is what queries read. A row of `folders` is never used again, since files may
/// still name it for a while. A song's `place` is its row number and grows in the order of the
/// library (`SongFacts.order`), with gaps for songs to come. So every index, and the index of words, yields songs in that order
/// without sorting, and the first page costs no more than the page itself.
enum Schema {
  /// Marks the file as a library of this program: "mrlb".
  static let application: Int64 = 0x6D72_6C62
  /// Grows with each change of the tables, of the keys, or of what is read of a file.
  static let version: Int64 = 1

  /// The statements that make the tables, each as SQLite keeps it.
  static let statements = tables.split(separator: "\n\n").map(String.init)

  private static let tables = """
    CREATE TABLE folders(id INTEGER PRIMARY KEY AUTOINCREMENT, root INTEGER NOT NULL, parent INTEGER NOT NULL, path TEXT NOT NULL, UNIQUE(root, path))

    CREATE INDEX folders_parent ON folders(parent)

    CREATE INDEX folders_path ON folders(path)

    CREATE TABLE files(
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      device INTEGER NOT NULL, inode INTEGER NOT NULL, problem TEXT, UNIQUE(folder, name))

    CREATE INDEX files_inode ON files(inode)

    CREATE INDEX files_problem ON files(id) WHERE problem IS NOT NULL

    CREATE TABLE playlists(file INTEGER PRIMARY KEY, title TEXT NOT NULL, title_key BLOB NOT NULL, lines INTEGER NOT NULL)

    CREATE INDEX playlists_title ON playlists(title_key)

    CREATE TABLE songs(
      place INTEGER PRIMARY KEY, file INTEGER NOT NULL UNIQUE, kind INTEGER NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL,
      album TEXT NOT NULL, album_artist TEXT NOT NULL, genre TEXT NOT NULL, composer TEXT NOT NULL, folder TEXT NOT NULL,
      track INTEGER NOT NULL, disc INTEGER NOT NULL, seconds REAL NOT NULL, compilation INTEGER NOT NULL, picture INTEGER NOT NULL,
      song_order BLOB NOT NULL, title_key BLOB NOT NULL, artist_key BLOB NOT NULL, album_key BLOB NOT NULL,
      album_artist_key BLOB NOT NULL, genre_key BLOB NOT NULL, composer_key BLOB NOT NULL)

    CREATE INDEX songs_order ON songs(song_order)

    CREATE INDEX songs_title ON songs(title_key) WHERE kind = 0

    CREATE INDEX songs_any_title ON songs(title_key)

    CREATE INDEX songs_artist ON songs(artist_key)

    CREATE INDEX songs_album ON songs(album_key)

    CREATE INDEX songs_album_artist ON songs(album_artist_key)

    CREATE INDEX songs_genre ON songs(genre_key)

    CREATE INDEX songs_composer ON songs(composer_key)

    CREATE INDEX songs_kind ON songs(kind) WHERE kind > 0

    CREATE VIRTUAL TABLE words USING fts5(
      title, artist, album, albumartist, composer, genre, folder, content='', detail=column, prefix='1 2 3')

    CREATE TABLE collections(
      kind INTEGER NOT NULL, key BLOB NOT NULL, artist_key BLOB NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL,
      songs INTEGER NOT NULL, PRIMARY KEY(kind, key, artist_key)) WITHOUT ROWID

    CREATE TRIGGER song_added AFTER INSERT ON songs BEGIN
      INSERT INTO words(rowid, title, artist, album, albumartist, composer, genre, folder)
        VALUES(\(words("new")));
      INSERT INTO collections(kind, key, artist_key, title, artist, songs)
        SELECT kind, key, artist_key, title, artist, 1 FROM (\(memberships("new"))) WHERE key <> x''
        ON CONFLICT DO UPDATE SET songs = songs + 1;
    END

    CREATE TRIGGER song_removed BEFORE DELETE ON songs BEGIN
      INSERT INTO words(words, rowid, title, artist, album, albumartist, composer, genre, folder)
        VALUES('delete', \(words("old")));
      UPDATE collections SET songs = songs - 1
        WHERE (kind, key, artist_key) IN (SELECT kind, key, artist_key FROM (\(memberships("old"))));
    END
    """

  /// Fills the index of words from the songs.
  static let refillWords = """
    INSERT INTO words(rowid, title, artist, album, albumartist, composer, genre, folder) SELECT \(words("songs")) FROM songs
    """

  private static func words(_ row: String) -> String {
    let columns = ["title", "artist", "album", "album_artist", "composer", "genre", "folder"]
    return (["\(row).place"] + columns.map { "folded(\(row).\($0))" }).joined(separator: ", ")
  }

  /// The collections that a song belongs to; those without a key are none.
  private static func memberships(_ row: String) -> String {
    func member(
      _ kind: SongCollection.Kind, of songs: Song.Kind, by column: String, and condition: String = "1"
    ) -> String {
      let hasArtist = column == "album"
      let key =
        "CASE WHEN \(row).kind = \(songs.rawValue) AND \(condition) THEN \(row).\(column)_key ELSE x'' END"
      return """
        SELECT \(kind.rawValue) AS kind, \(key) AS key, \(hasArtist ? "\(row).album_artist_key" : "x''") AS artist_key,
          \(row).\(column) AS title, \(hasArtist ? "\(row).album_artist" : "''") AS artist
        """
    }
    return [
      member(.albums, of: .music, by: "album"), member(.artists, of: .music, by: "artist"),
      member(.genres, of: .music, by: "genre"), member(.composers, of: .music, by: "composer"),
      member(.podcasts, of: .podcast, by: "album"), member(.audiobooks, of: .audiobook, by: "album"),
      member(.compilations, of: .music, by: "album", and: "\(row).compilation"),
    ].joined(separator: " UNION ALL ")
  }
}
