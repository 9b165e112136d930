import MediaFolders
import MusicLibrary
import OSC
import OSCSurface
import Parameters
import Playlists
import Queues
import Router
import SessionModel
import SystemCalls

extension MediaDesk {
  /// Carries out an errand and answers the client.
  func perform(
    _ errand: Surface.Errand, _ job: Surface.MediaJob, _ service: RouterService, _ surface: SurfaceService
  ) {
    do throws(SessionError) {
      if job.asksLibrary { follow(service) }
      switch job {
      case .find(let query, let page):
        answer(
          errand,
          try songs { (library) throws(LibraryError) in
            try library.find(query, from: page.start, count: page.count)
          }, service, surface)
      case .list(.songs, let page):
        answer(
          errand,
          try songs { (library) throws(LibraryError) in
            try library.songs(from: page.start, count: page.count)
          }, service, surface)
      case .list(let list, let page):
        answer(errand, try collections(list, page), service, surface)
      case .scan:
        guard hasFolder else { throw noFolder }
        library.rescan()
        answer(errand, nil, service, surface)
      case .save(let items, let name):
        try save(items, as: name)
        answer(errand, nil, service, surface)
      case .recordings(let page): answer(errand, try listRecordings(page), service, surface)
      case .delete(let recording, let recorder):
        try delete(recording, of: recorder, service)
        answer(errand, nil, service, surface)
      case .foreign: break  // The bus of the desktop has taken it.
      }
    } catch { answer(errand, error, service, surface) }
  }

  /// The rows of an answer, the index of the first one, and the length of the whole list.
  private struct Rows {
    var rows: [[OSCArgument]]
    var start: Int
    var total: Int

    init<Item>(_ page: Page<Item>, _ row: (Item) -> [OSCArgument]) {
      (rows, start, total) = (page.items.map(row), page.start, page.total)
    }
  }

  private func answer(
    _ errand: Surface.Errand, _ rows: Rows, _ service: RouterService, _ surface: SurfaceService
  ) {
    service.post { _ in surface.answer(errand, rows: rows.rows, from: rows.start, of: rows.total) }
  }

  private func answer(
    _ errand: Surface.Errand, _ error: SessionError?, _ service: RouterService, _ surface: SurfaceService
  ) {
    service.post { _ in surface.answer([errand], error) }
  }

  private var noFolder: SessionError {
    SessionError(
      .notFound,
      "no media folder is there (\(folders.paths.joined(separator: ", "))); make one, or say where with --media"
    )
  }

  // MARK: Lists

  private func songs(
    _ find: (MusicLibrary) throws(LibraryError) -> Page<Song>
  ) throws(SessionError) -> Rows {
    try query(find) {
      [.string("\($0.id)"), .string($0.title), .string($0.artist), .string($0.album)]
    }
  }

  private func collections(
    _ list: LibraryGroup, _ page: Surface.PageRequest
  ) throws(SessionError) -> Rows {
    let kind = SongCollection.Kind.allCases.first { "\($0)" == list.rawValue } ?? .albums
    let isAlbum = [.albums, .compilations].contains(kind)
    return try query({ (library) throws(LibraryError) in
      try library.collections(kind, from: page.start, count: page.count)
    }) {
      [
        .string($0.query), .string($0.title), .string($0.artist), .string(isAlbum ? $0.title : ""),
        .int32(Int32(clamping: $0.count)),
      ]
    }
  }

  private func query<Item>(
    _ find: (MusicLibrary) throws(LibraryError) -> Page<Item>, _ row: (Item) -> [OSCArgument]
  ) throws(SessionError) -> Rows {
    guard hasFolder else { return Rows(Page(start: 0, total: 0, items: []), row) }
    do throws(LibraryError) { return Rows(try find(library), row) } catch {
      throw SessionError(.io, "\(error)")
    }
  }

  private func listRecordings(_ page: Surface.PageRequest) throws(SessionError) -> Rows {
    do throws(SystemError) {
      let all = try RecordingFolder(recordings).files()
      let part = all.dropFirst(page.start).prefix(page.count)
      return Rows(Page(start: page.start, total: all.count, items: Array(part))) {
        [.string($0.name), .int64(Int64($0.bytes)), .string(System.gmtime($0.modified))]
      }
    } catch { throw SessionError(.io, "\(recordings) cannot be read: \(error.reason)") }
  }

  // MARK: Files

  private func save(_ items: [QueueItem], as name: String) throws(SessionError) {
    let entries = items.map { item in
      Playlist.Entry(
        item.name, title: item.artist.isEmpty ? item.title : "\(item.artist) - \(item.title)",
        seconds: item.seconds > 0 ? Int(item.seconds.rounded()) : nil)
    }
    do throws(PlaylistProblem) {
      try PlaylistFile(in: folders).write(name, title: nil, entries)
    } catch { throw SessionError(.badValue, "\(error)") }
  }

  /// Deletes a file of the folder of recordings, unless it is being written.
  private func delete(
    _ name: String, of recorder: RecorderID, _ service: RouterService
  ) throws(SessionError) {
    guard RecordingFolder.isName(name) else {
      throw SessionError(
        .badValue,
        "\(name) is no recording; name a file of \(recordings) without a folder, such as tape-2026-03-01-20-15-00.wav"
      )
    }
    if let writer = service.wait(for: { await $0.snapshot }).writer(of: name) {
      throw SessionError(
        .isBusy, "\(writer.id) writes \(name) now; stop it first (/recorder/\(writer.id)/stop)")
    }
    do throws(SystemError) {
      let path = "\(recordings)/\(name)"
      if try System.lstat(path).kind == .file { return try System.unlink(path) }
    } catch {
      guard error.number != .noSuchFile else {
        throw SessionError(.notFound, "there is no recording \(name) in \(recordings)")
      }
      throw SessionError(.io, "\(name) cannot be deleted: \(error.reason)")
    }
    throw SessionError(.badValue, "\(name) is no recording but a folder or a link")
  }
}

extension Surface.MediaJob {
  /// Whether the answer comes from the library.
  fileprivate var asksLibrary: Bool {
    switch self {
    case .find, .list, .scan: true
    case .save, .recordings, .delete, .foreign: false
    }
  }
}
