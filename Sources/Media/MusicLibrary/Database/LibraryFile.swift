import MediaFolders
import SystemCalls

/// The database file of a library, which is made anew when it is lost, damaged or of another version.
///
/// Each set of media folders has a file of its own, so that a scan of other folders never takes songs out of the library of a show. Several processes may use
/// one file; readers never wait for a writer.
struct LibraryFile: Sendable {
  let path: String

  init(in stateFolder: String, for folders: MediaFolders) {
    let name = MediaID(naming: folders.paths.joined(separator: "\n"), attempt: 0)
    path = "\(stateFolder)/library-\("\(name)".dropFirst(3)).sqlite"
  }

  /// Opens the file; makes an empty library if there is none, or if the file is damaged or of another version.
  ///
  /// - Throws: `DatabaseError` if the file cannot be used at all, for instance because the folder cannot be written.
  func open() throws(DatabaseError) -> Database {
    try? System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
    return try alone { () throws(DatabaseError) in
      do throws(DatabaseError) { return try openAsIs() } catch {
        guard error.isDamage else { throw error }
        return try makeAnew()
      }
    }
  }

  /// Makes the library anew, unless another process has just done so.
  /// - Parameter damaged: the file that is damaged.
  func rebuild(_ damaged: FileStatus?) throws(DatabaseError) -> Database {
    try alone { () throws(DatabaseError) in
      if let damaged, let now = identity, !now.isSameFile(as: damaged), let database = try? openAsIs() {
        return database
      }
      return try makeAnew()
    }
  }

  /// Opens the file while no other process opens it.
  ///
  /// SQLite does not wait for another process when it changes the kind of the journal: it says that the database is locked.
  private func alone(_ open: () throws(DatabaseError) -> Database) throws(DatabaseError) -> Database {
    let lock = try? System.open("\(path).lock", [.readWrite, .create], permissions: 0o600)
    defer { System.close(lock ?? -1) }
    if let lock { _ = try? System.flock(lock, waits: true) }
    return try open()
  }

  private func makeAnew() throws(DatabaseError) -> Database {
    for ending in ["", "-wal", "-shm"] { try? System.unlink(path + ending) }
    return try openAsIs()
  }

  /// Whether the database has no damage that a quick look finds.
  static func isSound(_ database: Database) throws(DatabaseError) -> Bool {
    try database.first("PRAGMA quick_check(1)") { $0.text(0) } == "ok"
  }

  /// What tells one file at this path from another one; nil if there is none.
  var identity: FileStatus? { try? System.stat(path) }

  private func openAsIs() throws(DatabaseError) -> Database {
    let database = try Database(path)
    database.setPatience(milliseconds: Self.patience)
    // Music that starts waits for the empty library, and so must not wait for a slow disk. A power cut now costs an empty library.
    try database.run("PRAGMA synchronous = OFF")
    // Where the file system has no shared memory, SQLite stays with its older journal, and readers wait for writers.
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA cache_size = -2000")
    try database.run("PRAGMA journal_size_limit = 4194304")
    if try Self.marks(database) == (0, 0) { try Self.makeTables(database) }
    // After a power cut the last changes may be lost, and are then read again.
    try database.run("PRAGMA synchronous = NORMAL")
    guard try Self.marks(database) == (Schema.application, Schema.version) else { throw .otherVersion }
    // Damage of the first pages may show as other tables.
    let known = Set(try database.rows("SELECT sql FROM sqlite_schema") { $0.text(0) })
    guard Schema.statements.allSatisfy({ known.contains($0) }) else { throw .damaged }
    return database
  }

  private static func marks(_ database: Database) throws(DatabaseError) -> (Int64?, Int64?) {
    (try database.number("PRAGMA application_id"), try database.number("PRAGMA user_version"))
  }

  private static func makeTables(_ database: Database) throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    // Another process may have made them meanwhile.
    if try marks(database) == (0, 0) {
      for statement in Schema.statements { try database.run(statement) }
      try database.run("PRAGMA application_id = \(Schema.application)")
      try database.run("PRAGMA user_version = \(Schema.version)")
    }
    try database.run("COMMIT")
  }

  /// The longest work of another process is a new numbering of all songs.
  private static let patience: Int32 = 60_000
}
