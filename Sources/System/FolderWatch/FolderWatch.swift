import Synchronization
public import SystemCalls
import Threads

/// Watches the files of some folders, and tells when they were edited and the editor has finished.
///
/// It watches folders, not files: many editors write a new file and rename it over the old one. A folder that does not exist is watched as
/// soon as it does. Changes that another machine makes in a network file system are not seen, as inotify(7) says.
public final class FolderWatch: Sendable {
  private let watched: @Sendable () -> [String]
  private let suffix: String
  private let changed: @Sendable () -> Void
  private let inotify: Int32
  /// Readable when the watch must end.
  private let end: Int32
  private let thread = Mutex<OwnThread?>(nil)

  /// What counts as a change of a file.
  private static let events: FolderEvents = [
    .created, .deleted, .movedIn, .movedOut, .attributes, .written, .closedAfterWriting, .selfDeleted,
    .selfMoved,
  ]
  /// What tells that a folder below has appeared.
  private static let appearing: FolderEvents = [.created, .movedIn, .selfDeleted, .selfMoved]

  /// Starts the watch on a thread `mr-watch`.
  ///
  /// - Parameters:
  ///   - suffix: how the names of the files end that count.
  ///   - folders: the folders; asked again after each change.
  ///   - changed: called on the thread after each edit; may wait.
  /// - Throws: `SystemError` if the system has no room for another watch.
  public init(
    suffix: String, folders: @escaping @Sendable () -> [String], changed: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    (self.suffix, watched, self.changed) = (suffix, folders, changed)
    inotify = try System.inotify_init1()
    do throws(SystemError) { end = try System.eventfd() } catch {
      System.close(inotify)
      throw error
    }
    follow()
    let thread = OwnThread("mr-watch") { [self] in run() }
    self.thread.withLock { $0 = thread }
  }

  /// Ends the watch, after a call of `changed` that runs now. Does not wait for it.
  public func close() {
    System.eventfd_write(end)
    thread.withLock { $0.take() }?.detach()
  }

  deinit {
    System.close(inotify)
    System.close(end)
  }

  private func run() {
    var settling = Settling(suffix: suffix)
    while true {
      let rest = settling.due.map { Int32(max(0, 1_000 * ($0 - MonotonicTime.now)).rounded(.up)) }
      guard let ready = try? System.poll([inotify, end], milliseconds: rest ?? -1), !ready[1] else { return }
      let time = MonotonicTime.now
      for change in System.inotify_read(inotify) {
        settling.note(change, at: time)
        // A folder has come or gone, and files with it.
        guard !change.events.isDisjoint(with: [.isFolder, .selfDeleted, .selfMoved, .overflowed]) else {
          continue
        }
        follow()
        settling.noteUnknown(at: time)
      }
      guard settling.take(at: time) else { continue }
      follow()
      changed()
    }
  }

  /// Watches the folders. In the place of one that does not exist, watches the nearest one above it.
  private func follow() {
    for folder in watched() {
      var (path, events) = (folder, Self.events)
      while (try? System.inotify_add_watch(inotify, path, events)) == nil, path != "/", path != "." {
        (path, events) = (WholeFile.folder(of: path), Self.appearing)
      }
    }
  }
}
