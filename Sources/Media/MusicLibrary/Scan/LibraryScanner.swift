import MediaFolders
import SystemCalls
import Threads

/// Walks through the media folders and brings the database up to date. One thread at a time may use it.
final class LibraryScanner {
  private let folders: MediaFolders
  private let writer: LibraryWriter
  private let watch: LibraryWatch?
  private let pace: ScanPace
  /// Waits some milliseconds; true if the scan shall end.
  private let wait: (Int32) -> Bool
  private let report: (Double) -> Void
  private var workStart = MonotonicTime.now
  private var isStopped = false

  /// - Parameters:
  ///   - watch: watches the folders that are found; nil for a single scan.
  ///   - wait: waits some milliseconds, 0 to look only; returns true when the scan shall end.
  ///   - report: gets the progress, 0 to 1.
  init(
    _ folders: MediaFolders, _ writer: LibraryWriter, watch: LibraryWatch?, pace: ScanPace,
    wait: @escaping (Int32) -> Bool, report: @escaping (Double) -> Void
  ) {
    (self.folders, self.writer, self.watch) = (folders, writer, watch)
    (self.pace, self.wait, self.report) = (pace, wait, report)
  }

  /// Looks at everything. A media folder that is away, such as that of a stick, keeps its songs.
  func scanAll() throws(DatabaseError) {
    findRoots()
    report(0)
    let share = 1 / Double(max(1, folders.paths.count))
    for root in folders.paths.indices where writer.roots[root] != nil {
      try scanTree(LibraryWatch.Place(root: root, path: ""), from: share * Double(root), share: share)
    }
    // What a scan that was stopped has not seen has not vanished.
    if isStopped { try writer.commit() } else { try writer.finish() }
    if !isStopped { report(1) }
  }

  /// Looks at what has changed.
  func scan(_ changes: LibraryWatch.Changes) throws(DatabaseError) {
    if changes.isAll { return try scanAll() }
    findRoots()
    for place in changes.folders { try scanFolder(place) }
    for place in changes.trees { try scanTree(place, from: 1, share: 0) }
    if isStopped { try writer.commit() } else { try writer.finish() }
  }

  /// The media folders that are away.
  var missingRoots: [Int] { folders.paths.indices.filter { writer.roots[$0] == nil } }

  private func findRoots() {
    for index in folders.paths.indices {
      let root = try? System.realpath(folders.paths[index])
      writer.roots[index] = root.flatMap { (try? System.stat($0))?.kind == .folder ? $0 : nil }
    }
  }

  /// Looks at a folder and everything below. The progress moves by `share` meanwhile, in equal parts for the folders of one folder.
  private func scanTree(
    _ place: LibraryWatch.Place, from start: Double, share: Double
  ) throws(DatabaseError) {
    var stack = [(place: place, start: start, share: share)]
    while let next = stack.popLast(), !isStopped {
      let children = try scanFolder(next.place)
      let part = next.share / Double(children.count + 1)
      for (index, child) in children.enumerated().reversed() {
        stack.append((child, next.start + part * Double(index + 1), part))
      }
      if next.share > 0 { report(next.start + part) }
    }
  }

  /// Looks at the files of one folder. Returns the folders in it.
  @discardableResult
  private func scanFolder(_ place: LibraryWatch.Place) throws(DatabaseError) -> [LibraryWatch.Place] {
    guard let root = writer.roots[place.root] else { return [] }
    let path = place.path.isEmpty ? root : "\(root)/\(place.path)"
    guard let folder = try row(of: place) else { return [] }
    // Before the look, so that nothing happens unseen between the two.
    watch?.watch(place, at: path)
    guard (try? System.lstat(path))?.kind == .folder, let names = try? System.readdir(path) else {
      // A folder that is gone or may not be read has no songs that can be played.
      if place.path.isEmpty { return [] }
      try writer.vanish(folder)
      return []
    }
    var (files, children): (Set<String>, [LibraryWatch.Place]) = ([], [])
    for name in names where !name.hasPrefix(".") {
      let full = "\(path)/\(name)"
      // What a symbolic link leads to has a place of its own.
      guard let status = try? System.lstat(full) else { continue }
      switch status.kind {
      case .folder: children.append(place.child(name))
      case .file where MediaFile.Kind.isSound(name) || MediaFile.Kind.isPlaylist(name):
        files.insert(name)
        try writer.visit(FoundFile(folder: folder, name: name, path: full, status: status))
        try rest()
        if isStopped { return [] }
      default: break
      }
    }
    for foreign in (try? System.readdirForeign(path)) ?? [] where !foreign.name.hasPrefix(".") {
      guard let problem = Self.problem(of: foreign.name, foreign.status.kind) else { continue }
      files.insert(foreign.name)
      try writer.visit(
        FoundFile(
          folder: folder, name: foreign.name, path: "\(path)/\(foreign.name)", status: foreign.status,
          problem: problem))
    }
    try writer.keep(files, Set(children.map { String($0.path.split(separator: "/").last ?? "") }), of: folder)
    try rest()
    return children
  }

  /// Why something whose name is not UTF-8 cannot be used; nil for what a library leaves out anyway.
  private static func problem(of name: String, _ kind: FileStatus.Kind) -> String? {
    switch kind {
    case .folder: "the name of the folder is not UTF-8, so that no file in it can be named; rename the folder"
    case .file where MediaFile.Kind.isSound(name) || MediaFile.Kind.isPlaylist(name):
      "its name is not UTF-8, so that it cannot be named; rename it"
    default: nil
    }
  }

  /// The row of a folder and of those on the way to it.
  private func row(of place: LibraryWatch.Place) throws(DatabaseError) -> FolderRow? {
    var row = try writer.folder(root: place.root, path: "", parent: 0)
    var path = ""
    for part in place.path.split(separator: "/") {
      path += path.isEmpty ? String(part) : "/\(part)"
      row = try writer.folder(root: place.root, path: path, parent: row.id)
    }
    return row
  }

  /// Commits after some work, and in the background pauses for as long as the work took.
  private func rest() throws(DatabaseError) {
    let worked = MonotonicTime.now - workStart
    guard writer.isDue || worked > 0.25 else { return }
    try writer.commit()
    isStopped = wait(pace == .background ? Int32(min(5, worked) * 1_000) : 0)
    workStart = MonotonicTime.now
  }
}
