import MediaFolders
import Synchronization
import SystemCalls
import Threads

/// The thread that keeps the library up to date: scans at its start, and then follows the changes in the media folders.
final class LibraryIndexer: Sendable {
  private let thread: WorkThread
  private let wake: Int32

  /// Starts the thread.
  ///
  /// - Parameter report: called on the thread with each new status, at most ten times a second while a scan goes on.
  init(
    _ file: LibraryFile, _ folders: MediaFolders, pace: ScanPace,
    report: @escaping @Sendable (LibraryStatus) -> Void
  ) {
    let wake = (try? System.eventfd()) ?? -1
    self.wake = wake
    thread = WorkThread(name: "mr-library") { stop in
      let run = IndexerRun(file, folders, pace: pace, stop: stop, wake: wake, report: report)
      while !run.isOver { run.attempt() }
    }
  }

  deinit { System.close(wake) }

  /// Looks at everything again, soon. Any thread; never waits.
  func scan() { System.eventfd_write(wake) }

  /// Ends the thread. Waits for the file that is being read.
  func stop() { thread.stop() }
}

/// The work of the indexer's thread.
private final class IndexerRun {
  private let file: LibraryFile
  private let folders: MediaFolders
  private let pace: ScanPace
  private let (stop, wake): (Int32, Int32)
  private let report: (LibraryStatus) -> Void
  private var status = LibraryStatus()
  private var lastReport = 0.0
  private(set) var isOver = false
  private let watch = LibraryWatch()

  /// So long no event must come before changes are looked at, and so long they wait at most.
  private static let (quiet, longest): (Int32, Double) = (200, 2)
  /// How often a media folder that is away is looked for, and how often everything is looked at if the system cannot watch it.
  private static let (looks, rounds): (Int32, Int32) = (5_000, 600_000)
  /// How long to wait after the database could not be written.
  private static let patience: Int32 = 5_000

  init(
    _ file: LibraryFile, _ folders: MediaFolders, pace: ScanPace, stop: Int32, wake: Int32,
    report: @escaping (LibraryStatus) -> Void
  ) {
    (self.file, self.folders, self.pace, self.stop, self.wake) = (file, folders, pace, stop, wake)
    self.report = report
  }

  /// Opens the database and works until the end, or until the database fails.
  func attempt() {
    var identity: FileStatus?
    do throws(DatabaseError) {
      let database = try file.open()
      // Only now: who opens the file at the same time waits until its tables are made, on a busy machine for as long as this thread does.
      OwnThread.enterBackground()
      identity = file.identity
      try follow(database, identity)
    } catch {
      guard !isOver else { return }
      if error.isDamage, (try? file.rebuild(identity)) != nil { return }
      status.isScanning = false
      status.problem = "the library \(file.path) cannot be written: \(error.text)"
      report(status)
      isOver = WorkThread.wait(stop, milliseconds: Self.patience)
    }
  }

  private func follow(_ database: Database, _ identity: FileStatus?) throws(DatabaseError) {
    guard try LibraryFile.isSound(database) else { throw .damaged }
    let writer = LibraryWriter(database)
    let opened = status.opened
    let scanner = LibraryScanner(
      folders, writer, watch: watch, pace: pace,
      wait: { [unowned self] milliseconds in
        if WorkThread.wait(stop, milliseconds: milliseconds) { isOver = true }
        return isOver
      },
      report: { [unowned self] progress in
        (status.progress, status.opened) = (progress, opened + writer.opened)
        // The operator sees a scan move, and no more.
        if MonotonicTime.now - lastReport > 0.1 { publish() }
      })
    func scan(_ changes: LibraryWatch.Changes) throws(DatabaseError) {
      status.isScanning = true
      status.problem = nil
      publish()
      try scanner.scan(changes)
      guard !isOver else { return }
      status.isScanning = false
      status.opened = opened + writer.opened
      status.problem = problem(scanner)
      publish()
    }
    try scan(LibraryWatch.Changes(isAll: true))
    while !isOver {
      let changes = nextChanges(isIncomplete: !scanner.missingRoots.isEmpty)
      // A file that was deleted or replaced is opened anew.
      let now = file.identity
      guard let identity, let now, now.isSameFile(as: identity) else { return }
      if !changes.isEmpty { try scan(changes) }
    }
  }

  private func publish() {
    lastReport = MonotonicTime.now
    report(status)
  }

  private func problem(_ scanner: LibraryScanner) -> String? {
    if let missing = scanner.missingRoots.first {
      return "the media folder \(folders.paths[missing]) is not there; its songs stay in the library"
    }
    return watch.hasRunOut || watch.descriptor < 0
      ? "the system watches too many folders; changes are found every \(Self.rounds / 60_000) minutes (raise fs.inotify.max_user_watches)"
      : nil
  }

  /// Waits for changes, and then until nothing more changes for a moment, so that a file which is being copied is read once.
  private func nextChanges(isIncomplete: Bool) -> LibraryWatch.Changes {
    var changes = LibraryWatch.Changes()
    var end: Double?
    while !isOver {
      let patience =
        end.map { Int32(min(Double(Self.quiet), max(0, ($0 - MonotonicTime.now) * 1_000))) }
        ?? (isIncomplete ? Self.looks : watch.hasRunOut || watch.descriptor < 0 ? Self.rounds : -1)
      guard let ready = try? System.poll([stop, wake, watch.descriptor], milliseconds: patience) else {
        return changes
      }
      if ready[0] {
        isOver = true
        return LibraryWatch.Changes()
      }
      if ready[1] {
        System.eventfd_read(wake)
        changes.isAll = true
        return changes
      }
      if ready[2] {
        watch.take(into: &changes)
        if !changes.isEmpty { end = end ?? MonotonicTime.now + Self.longest }
      } else if end != nil {
        return changes
      } else {
        changes.isAll = !isIncomplete || folders.paths.contains { isBack($0) }
        return changes
      }
      if let end, MonotonicTime.now >= end { return changes }
    }
    return changes
  }

  /// Whether a media folder is there whose songs are not watched yet.
  private func isBack(_ path: String) -> Bool {
    guard let index = folders.paths.firstIndex(of: path) else { return false }
    return !watch.isWatching(LibraryWatch.Place(root: index, path: ""))
      && (try? System.stat(path))?.kind == .folder
  }
}
