import MediaFolders
import Playlists
public import Queues

extension MusicLibrary: QueueSource {
  /// The songs that a word means: those of a file, a folder or a playlist of that name; otherwise those of a media id or a query such as
  /// `album:Blue`; otherwise those that a search for the words finds. `.` is the first media folder.
  ///
  /// A file that the library does not know yet is taken by its name. Blocks on the disk.
  public func items(for word: String) -> QueueAddition {
    guard word.contains(where: { !$0.isWhitespace }) else { return refused("an empty text means no file") }
    do throws(LibraryError) {
      switch file(named: word) {
      case .success(let file): return try items(in: file)
      case .failure(let error):
        let isQuery = !LibraryQuery(word).terms.isEmpty
        // A name that leads out is refused as such, and a path is no search.
        guard isQuery || error.isMissing && !word.contains("/") else { return refused("\(error)") }
        let found = try find(word, count: PlayQueue.most)
        guard found.items.isEmpty else { return addition(found, of: word) }
        return refused(isQuery ? "no song is found for \(word)" : "\(error), and no song has these words")
      }
    } catch { return refused("\(error)") }
  }

  private func file(named word: String) -> Result<MediaFile, MediaNameError> {
    Result { () throws(MediaNameError) in try folders.find(word) }
  }

  private func refused(_ reason: String) -> QueueAddition { QueueAddition(problems: [reason]) }

  private func addition(_ page: Page<Song>, of word: String) -> QueueAddition {
    let isCut = page.total > page.items.count
    return QueueAddition(
      page.items.map(QueueItem.init),
      problems: isCut
        ? ["\(word) finds \(page.total) songs; only the first \(page.items.count) are taken"] : [])
  }

  private func items(in file: MediaFile) throws(LibraryError) -> QueueAddition {
    switch file.kind {
    case .sound: return QueueAddition([try item(file)])
    case .folder:
      var items = try songs(below: file).map(QueueItem.init)
      // What a scan has not come to yet is taken by its name.
      if items.isEmpty || status.isScanning {
        let files = folders.sounds(below: file, atMost: PlayQueue.most).map {
          (SortKey.path($0.name).bytes, $0)
        }
        items = []
        for (_, file) in files.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
          items.append(try item(file))
        }
      }
      var addition = QueueAddition(
        Array(items.prefix(PlayQueue.most)), problems: try leftOut(below: file))
      if items.isEmpty, addition.problems.isEmpty {
        addition.problems = ["the folder \(file.name) has no songs"]
      }
      return addition
    case .playlist:
      let content: PlaylistFile.Content
      do throws(PlaylistProblem) { content = try PlaylistFile(in: folders).content(of: file.name) } catch {
        return refused("\(error)")
      }
      var addition = QueueAddition(problems: content.problems.map(\.description))
      for file in content.files { addition.items.append(try item(file)) }
      if addition.items.isEmpty, addition.problems.isEmpty {
        addition.problems = ["the playlist \(file.name) is empty"]
      }
      return addition
    }
  }

  /// Sentences about the files of a folder that cannot be played.
  private func leftOut(below folder: MediaFile) throws(LibraryError) -> [String] {
    let files = try unusable(below: folder, count: Self.mostNamed)
    let named = files.items.map { "\($0.name) cannot be played: \($0.reason)" }
    let more = files.total - named.count
    return more > 0
      ? named + ["\(more) more files cannot be played; see: multiroute library show unusable"] : named
  }

  /// Files of a folder that cannot be played, of which each has a sentence.
  private static let mostNamed = 5

  private func item(_ file: MediaFile) throws(LibraryError) -> QueueItem {
    if let song = try song(of: file) { return QueueItem(song) }
    let last = file.name.split(separator: "/").last.map(String.init) ?? file.name
    return QueueItem(name: file.name, title: last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last)
  }
}

extension QueueItem {
  /// A song as an item of a queue.
  public init(_ song: Song) {
    self.init(
      name: song.name, media: "\(song.id)", title: song.title, artist: song.artist, album: song.album,
      albumArtist: song.albumArtist, seconds: song.seconds)
  }
}
