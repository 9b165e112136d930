import MediaFolders
import SystemCalls
import Threads

/// Brings the database up to what is on the disk, file by file. One thread at a time may use it.
///
/// A file is opened only if its size, time or place on the disk differs from what the database says. Changes are written in transactions of a quarter of a
/// second, so that another process which scans the same folders finds them and does not read the files again.
final class LibraryWriter {
  let database: Database
  private let songs: SongTable
  private var transactionStart: Double?
  /// Files that are no longer where they were. They are removed at the end, because some turn up elsewhere.
  private var vanished: Set<MediaID> = []
  /// Files that were opened since the writer was made.
  private(set) var opened = 0

  init(_ database: Database) {
    self.database = database
    songs = SongTable(database: database)
  }

  deinit { if transactionStart != nil { try? database.run("ROLLBACK") } }

  /// Whether a transaction has been open for long.
  var isDue: Bool { transactionStart.map { MonotonicTime.now - $0 > 0.25 } ?? false }

  /// Writes what has been changed.
  func commit() throws(DatabaseError) {
    guard transactionStart != nil else { return }
    try database.run("COMMIT")
    transactionStart = nil
  }

  /// Removes what has vanished for good, and commits.
  func finish() throws(DatabaseError) {
    if !vanished.isEmpty {
      try begin()
      for id in vanished { try remove(id) }
      try songs.removeEmptyCollections()
      vanished = []
    }
    try commit()
  }

  private func begin() throws(DatabaseError) {
    guard transactionStart == nil else { return }
    try database.run("BEGIN IMMEDIATE")
    transactionStart = MonotonicTime.now
  }

  // MARK: Folders

  /// The row of a folder, which is made if there is none.
  func folder(root: Int, path: String, parent: Int64) throws(DatabaseError) -> FolderRow {
    func known() throws(DatabaseError) -> Int64? {
      try database.number("SELECT id FROM folders WHERE root = ? AND path = ?", [.init(root), .init(path)])
    }
    if let id = try known() { return FolderRow(id: id, root: root, path: path) }
    try begin()
    try database.run(
      "INSERT OR IGNORE INTO folders(root, parent, path) VALUES(?, ?, ?)", .init(root), .integer(parent),
      .init(path))
    return FolderRow(id: try known() ?? 0, root: root, path: path)
  }

  /// Notes what a folder no longer has.
  ///
  /// - Parameters:
  ///   - files: the names of the files that it has.
  ///   - folders: the names of the folders that it has.
  func keep(_ files: Set<String>, _ folders: Set<String>, of folder: FolderRow) throws(DatabaseError) {
    for (id, name) in try database.rows(
      "SELECT id, name FROM files WHERE folder = ?", [.integer(folder.id)],
      { (MediaID(number: $0.integer(0)), $0.text(1)) }) where !files.contains(name)
    {
      vanished.insert(id)
    }
    for child in try children(of: folder) {
      let name = child.path.split(separator: "/").last.map(String.init) ?? ""
      if !folders.contains(name) { try vanish(child) }
    }
  }

  /// Notes that a folder has vanished, with all that was in it.
  func vanish(_ folder: FolderRow) throws(DatabaseError) {
    try keep([], [], of: folder)
    try begin()
    try database.run("DELETE FROM folders WHERE id = ?", .integer(folder.id))
  }

  private func children(of folder: FolderRow) throws(DatabaseError) -> [FolderRow] {
    try database.rows("SELECT id, path FROM folders WHERE parent = ?", [.integer(folder.id)]) {
      FolderRow(id: $0.integer(0), root: folder.root, path: $0.text(1))
    }
  }

  // MARK: Files

  /// Brings one file up to date. Opens it only if it has changed.
  func visit(_ file: FoundFile) throws(DatabaseError) {
    if let known = try known(file), known.isUnchanged {
      vanished.remove(known.id)
      return
    }
    try begin()
    // Another process may have read the file before this transaction began.
    let known = try known(file)
    if let known, known.isUnchanged { return }
    let id: MediaID
    if let known {
      id = known.id
      vanished.remove(id)
    } else if let moved = try moved(file) {
      id = moved
    } else {
      id = try freshID(for: file)
    }
    opened += 1
    try write(FileReading.content(of: file), of: file, id)
  }

  private func known(_ file: FoundFile) throws(DatabaseError) -> (id: MediaID, isUnchanged: Bool)? {
    let status = file.status
    return try database.first(
      "SELECT id, size, modified, device, inode FROM files WHERE folder = ? AND name = ?",
      .integer(file.folder.id),
      .init(file.name)
    ) { row in
      let isUnchanged =
        row.int(1) == status.size && row.int(2) == status.modifiedNanoseconds
        && row.integer(3) == Int64(bitPattern: status.device)
        && row.integer(4) == Int64(bitPattern: status.inode)
      return (MediaID(number: row.integer(0)), isUnchanged)
    }
  }

  /// The id under which the library knows the file at another place, where it no longer is.
  private func moved(_ file: FoundFile) throws(DatabaseError) -> MediaID? {
    let status = file.status
    let ids = try database.rows(
      "SELECT id FROM files WHERE inode = ? AND device = ? AND size = ? AND modified = ?",
      [
        .integer(Int64(bitPattern: status.inode)), .integer(Int64(bitPattern: status.device)),
        .init(status.size),
        .init(status.modifiedNanoseconds),
      ]
    ) { MediaID(number: $0.integer(0)) }
    for id in ids {
      if vanished.remove(id) != nil { return id }
      let old = try database.first(
        "SELECT root, path, name FROM files JOIN folders ON folders.id = files.folder WHERE files.id = ?",
        .integer(id.number)
      ) { ($0.int(0), $0.text(1), $0.text(2)) }
      // A hard link is another file; without a folder the place is gone.
      guard let old else { return id }
      let name = old.1.isEmpty ? old.2 : "\(old.1)/\(old.2)"
      guard let root = roots[old.0], let there = try? System.lstat("\(root)/\(name)"),
        there.isSameFile(as: status)
      else { return id }
    }
    return nil
  }

  /// The absolute paths of the media folders that are there, by index.
  var roots: [Int: String] = [:]

  private func freshID(for file: FoundFile) throws(DatabaseError) -> MediaID {
    var attempt = 0
    while true {
      let id = MediaID(naming: file.mediaName, attempt: attempt)
      // A file that has vanished leaves its id to the one that takes its name.
      if vanished.remove(id) != nil { return id }
      if try database.number("SELECT 1 FROM files WHERE id = ?", [.integer(id.number)]) == nil { return id }
      attempt += 1
    }
  }

  private func write(_ content: FileReading.Content, of file: FoundFile, _ id: MediaID) throws(DatabaseError)
  {
    try remove(id)
    var problem = DatabaseValue.null
    if case .unusable(let reason) = content { problem = .text(reason) }
    let status = file.status
    try database.run(
      "INSERT OR REPLACE INTO files VALUES(?, ?, ?, ?, ?, ?, ?, ?)", .integer(id.number),
      .integer(file.folder.id),
      .init(file.name), .init(status.size), .init(status.modifiedNanoseconds),
      .integer(Int64(bitPattern: status.device)), .integer(Int64(bitPattern: status.inode)), problem)
    switch content {
    case .song(let tags):
      try songs.insert(SongFacts(tags, folder: file.folder.path, name: file.name), file: id)
    case .playlist(let title, let lines):
      try database.run(
        "INSERT INTO playlists VALUES(?, ?, ?, ?)", .integer(id.number), .init(title), .init(SortKey(title)),
        .init(lines))
    case .unusable: break
    }
  }

  private func remove(_ id: MediaID) throws(DatabaseError) {
    try songs.remove(file: id)
    try database.run("DELETE FROM playlists WHERE file = ?", .integer(id.number))
    try database.run("DELETE FROM files WHERE id = ?", .integer(id.number))
  }
}
