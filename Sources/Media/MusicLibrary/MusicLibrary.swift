public import MediaFolders
import Synchronization
import SystemCalls
public import Tags

/// The music in the media folders: an index in one file, kept up to date in the background, and answers from it.
///
/// Any thread may call; a query may wait for the disk, so the threads of audio and policy must not call it. Several processes may use one library at once.
public final class MusicLibrary: Sendable {
  public let folders: MediaFolders
  private let file: LibraryFile
  private let indexer = Mutex<LibraryIndexer?>(nil)
  private let latest = Mutex(LibraryStatus())
  private let connection = Mutex<Connection?>(nil)

  /// A reader, and the file that it reads.
  private struct Connection {
    var reader: LibraryReader
    var identity: FileStatus
  }

  /// Opens nothing yet.
  /// - Parameter stateFolder: the folder of the library's file, which is made when it is needed.
  public init(_ folders: MediaFolders, stateFolder: String) {
    self.folders = folders
    file = LibraryFile(in: stateFolder, for: folders)
  }

  deinit { stop() }

  // MARK: Keeping up to date

  /// The state of the library's thread.
  public var status: LibraryStatus { latest.withLock { $0 } }

  /// Starts the thread `mr-library`, which looks through the media folders and then follows their changes. It has the lowest priority, and calls
  /// `report` with each new status, at most ten times a second.
  public func start(
    pace: ScanPace = .background, report: @escaping @Sendable (LibraryStatus) -> Void = { _ in }
  ) {
    indexer.withLock { indexer in
      guard indexer == nil else { return }
      indexer = LibraryIndexer(file, folders, pace: pace) { [weak self] status in
        self?.latest.withLock { $0 = status }
        report(status)
      }
    }
  }

  /// Ends the thread. Waits for the file that it reads.
  public func stop() { indexer.withLock { $0.take() }?.stop() }

  /// Has the thread look through all media folders again. Never waits.
  public func rescan() { indexer.withLock { $0?.scan() } }

  /// Looks through all media folders on the calling thread, at full speed.
  ///
  /// - Parameters:
  ///   - isStopped: asked now and then; true ends the scan, which the next one continues.
  ///   - report: gets the progress, 0 to 1.
  /// - Returns: the number of files that were opened.
  /// - Throws: `LibraryError.unusable`.
  @discardableResult
  public func scan(
    isStopped: @escaping () -> Bool = { false }, report: @escaping (Double) -> Void = { _ in }
  ) throws(LibraryError) -> Int {
    func attempt(_ database: Database) throws(DatabaseError) -> Int {
      let writer = LibraryWriter(database)
      let scanner = LibraryScanner(
        folders, writer, watch: nil, pace: .full, wait: { _ in isStopped() }, report: report)
      try scanner.scanAll()
      return writer.opened
    }
    do throws(DatabaseError) {
      var identity: FileStatus?
      do throws(DatabaseError) {
        let database = try file.open()
        identity = file.identity
        guard try LibraryFile.isSound(database) else { throw .damaged }
        return try attempt(database)
      } catch {
        guard error.isDamage else { throw error }
        return try attempt(try file.rebuild(identity))
      }
    } catch {
      throw .unusable(path: file.path, reason: error.text)
    }
  }

  // MARK: Queries

  /// Songs that a query finds, in the order of album artist, album, disc and track (`LibraryQuery` says what a query is).
  ///
  /// - Parameters:
  ///   - start: the index of the first song of the page.
  ///   - count: the most songs of the page.
  public func find(_ query: String, from start: Int = 0, count: Int = 100) throws(LibraryError) -> Page<Song>
  {
    try read { (reader) throws(DatabaseError) in
      try reader.find(query, from: max(0, start), count: max(0, count))
    }
  }

  /// All music by title, without podcasts and audiobooks.
  public func songs(from start: Int = 0, count: Int = 100) throws(LibraryError) -> Page<Song> {
    try read { (reader) throws(DatabaseError) in try reader.songs(from: max(0, start), count: max(0, count)) }
  }

  /// Albums, artists, genres, composers, podcasts, audiobooks, compilations or playlists, by title.
  public func collections(
    _ kind: SongCollection.Kind, from start: Int = 0, count: Int = 100
  ) throws(LibraryError) -> Page<SongCollection> {
    try read { (reader) throws(DatabaseError) in
      try reader.collections(kind, from: max(0, start), count: max(0, count))
    }
  }

  /// The number of songs in the library, podcasts and audiobooks included.
  public func count() throws(LibraryError) -> Int {
    try read { (reader) throws(DatabaseError) in try reader.count() }
  }

  /// Files that cannot be used, with the reasons.
  public func unusable(from start: Int = 0, count: Int = 100) throws(LibraryError) -> Page<UnusableFile> {
    try read { (reader) throws(DatabaseError) in
      try reader.unusable(from: max(0, start), count: max(0, count))
    }
  }

  /// The song of an id.
  /// - Throws: `LibraryError.unknown`.
  public func song(_ id: MediaID) throws(LibraryError) -> Song {
    let song = try read { (reader) throws(DatabaseError) in try reader.song(id) }
    guard let song else { throw .unknown(id) }
    return song
  }

  /// The song of a file; nil if the library does not know it yet.
  public func song(of file: MediaFile) throws(LibraryError) -> Song? {
    try read { (reader) throws(DatabaseError) in try reader.song(file) }
  }

  /// The songs in a folder and in the folders below, in the order of their paths.
  public func songs(below folder: MediaFile) throws(LibraryError) -> [Song] {
    try read { (reader) throws(DatabaseError) in try reader.songs(below: folder) }
  }

  /// The first files of a folder, and of the folders below, that cannot be used, each with the reason.
  func unusable(below folder: MediaFile, count: Int) throws(LibraryError) -> Page<UnusableFile> {
    try read { (reader) throws(DatabaseError) in try reader.unusable(below: folder, count: count) }
  }

  /// Finds the file of an id on the disk, to play it.
  /// - Throws: `LibraryError.unknown`, or `name` if the file is gone.
  public func file(_ id: MediaID) throws(LibraryError) -> MediaFile {
    let name = try song(id).name
    do throws(MediaNameError) { return try folders.find(name) } catch { throw .name(error) }
  }

  /// The cover of a song: the picture in its file, or else the picture `cover`, `folder` or `front` in its folder; nil if there is none.
  public func cover(_ id: MediaID) throws(LibraryError) -> CoverPicture? {
    CoverReading.cover(of: try file(id))
  }

  /// Reads from the library's file, which is opened, or made, when it is first needed and when another one has taken its place.
  private func read<Value: Sendable>(
    _ body: (LibraryReader) throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(DatabaseError) {
      return try connection.withLock { (connection) throws(DatabaseError) -> Value in
        for isLast in [false, true] {
          do throws(DatabaseError) {
            let reader = try current(&connection)
            return try body(reader)
          } catch {
            let damaged = connection?.identity
            connection = nil
            guard error.isDamage, !isLast else { throw error }
            _ = try file.rebuild(damaged)
            rescan()
          }
        }
        throw .damaged
      }
    } catch {
      throw .unusable(path: file.path, reason: error.text)
    }
  }

  private func current(_ connection: inout Connection?) throws(DatabaseError) -> LibraryReader {
    if let connection, let now = file.identity, now.isSameFile(as: connection.identity) {
      return connection.reader
    }
    let wasLost = connection != nil
    let reader = LibraryReader(try file.open(), folders)
    connection = file.identity.map { Connection(reader: reader, identity: $0) }
    if wasLost { rescan() }
    return reader
  }
}
