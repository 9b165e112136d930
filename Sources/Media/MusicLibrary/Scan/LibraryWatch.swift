import SystemCalls

/// Watches folders and collects those in which something has changed. One thread at a time may use it.
final class LibraryWatch {
  /// A folder by its media folder's index and its path below that.
  struct Place: Hashable {
    var root: Int
    var path: String

    func child(_ name: String) -> Place { Place(root: root, path: path.isEmpty ? name : "\(path)/\(name)") }
  }

  /// What has to be looked at again.
  struct Changes: Equatable {
    /// Folders whose own files have changed.
    var folders: Set<Place> = []
    /// New folders, with everything below.
    var trees: Set<Place> = []
    /// Whether the system lost events, so that everything has to be looked at.
    var isAll = false

    var isEmpty: Bool { folders.isEmpty && trees.isEmpty && !isAll }
  }

  /// Readable after changes; -1 if the system cannot watch.
  let descriptor: Int32
  private var places: [Int32: Place] = [:]
  private var watches: [Place: Int32] = [:]
  /// Whether the system refused to watch a folder because it watches too many already (fs.inotify.max_user_watches).
  private(set) var hasRunOut = false

  init() { descriptor = (try? System.inotify_init1()) ?? -1 }

  deinit { System.close(descriptor) }

  /// Starts to watch a folder. Nothing happens if it is watched already.
  func watch(_ place: Place, at path: String) {
    guard descriptor >= 0 else { return }
    do throws(SystemError) {
      let watch = try System.inotify_add_watch(descriptor, path, Self.events)
      // A folder that was moved keeps its watch, and has another name now.
      if let old = places[watch], old != place { watches[old] = nil }
      (places[watch], watches[place]) = (place, watch)
    } catch {
      if error.number == .noSpace { hasRunOut = true }
    }
  }

  func isWatching(_ place: Place) -> Bool { watches[place] != nil }

  /// Reads what has happened. Never waits.
  func take(into changes: inout Changes) {
    for change in System.inotify_read(descriptor) {
      guard !change.events.contains(.overflowed) else {
        changes.isAll = true
        continue
      }
      guard let place = places[change.watch] else { continue }
      if change.events.contains(.ended) {
        if watches[place] == change.watch { watches[place] = nil }
        places[change.watch] = nil
        // A media folder itself: its disk may be gone for a while.
        if place.path.isEmpty { changes.isAll = true }
      } else if !change.events.isDisjoint(with: [.selfDeleted, .selfMoved]) {
        guard place.path.isEmpty else { continue }
        forget(place)
        changes.isAll = true
      } else if change.events.contains(.isFolder) {
        let child = place.child(change.name)
        if !change.events.isDisjoint(with: [.created, .movedIn]) { changes.trees.insert(child) }
        if !change.events.isDisjoint(with: [.deleted, .movedOut]) { forget(child) }
        // Rights and times of folders change, too; the parent finds out what is left.
        changes.folders.insert(place)
        if change.events.contains(.attributes) { changes.trees.insert(child) }
      } else {
        changes.folders.insert(place)
      }
    }
  }

  /// Stops watching a folder and everything below: it may live on elsewhere under another name.
  private func forget(_ place: Place) {
    let below = place.path + "/"
    for (known, watch) in watches
    where known.root == place.root
      && (place.path.isEmpty || known.path == place.path || known.path.hasPrefix(below))
    {
      System.inotify_rm_watch(descriptor, watch)
      (watches[known], places[watch]) = (nil, nil)
    }
  }

  private static let events: FolderEvents = [
    .created, .deleted, .movedIn, .movedOut, .closedAfterWriting, .attributes, .selfDeleted, .selfMoved,
    .noLink,
  ]
}
