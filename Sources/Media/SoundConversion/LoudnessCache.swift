public import SoundFiles
import Synchronization
import SystemCalls
import Threads

/// Measures how loud sound files are, once each: keeps the results in a file.
///
/// A file is known by its path, size and time. The measurements are made one after another on `mr-loudness`, a thread of the lowest priority, so
/// that they neither delay the opening of files nor take the disk from the sound. Any thread but the audio thread may call; none waits.
public final class LoudnessCache: Sendable {
  private typealias Done = @Sendable (Result<SoundLoudness, MediaError>) -> Void

  private typealias Find = @Sendable (String) throws(MediaError) -> String

  private struct Request {
    var path: String
    var find: Find
    var done: [Done]
  }

  /// What the thread shares with callers.
  private final class Work: Sendable {
    let list: Mutex<LoudnessList>
    let requests = Mutex<[Request]>([])
    let bell = PacedThread.Bell()
    let isOver = Atomic<Bool>(false)
    private let path: String?

    init(_ path: String?) {
      self.path = path
      // Read on the thread, since a disk may be slow.
      list = Mutex(LoudnessList())
    }

    func read() {
      guard let path, let bytes = try? WholeFile.document(path, limit: LoudnessList.largest) else { return }
      let kept = LoudnessList(bytes)
      list.withLock { $0 = kept }
    }

    /// Measures one file.
    func serve() -> PacedThread.Pace {
      guard let (path, find) = requests.withLock({ $0.first.map { ($0.path, $0.find) } }) else {
        return .woken
      }
      let result: Result<SoundLoudness, MediaError>?
      do throws(MediaError) { result = loudness(try find(path)) } catch { result = .failure(error) }
      let (request, isLast) = requests.withLock { ($0.removeFirst(), $0.isEmpty) }
      if let result { for done in request.done { done(result) } }
      if isLast || isOver.load(ordering: .relaxed) { save() }
      return isOver.load(ordering: .relaxed) ? .woken : .atOnce
    }

    /// Returns nil if the cache ends meanwhile.
    private func loudness(_ path: String) -> Result<SoundLoudness, MediaError>? {
      let before = LoudnessList.Version(path)
      if let before, let known = list.withLock({ $0.loudness(path, before) }) { return .success(known) }
      do throws(MediaError) {
        guard
          let measured = try SoundLoudness.measure(
            path: path, while: { !isOver.load(ordering: .relaxed) })
        else { return nil }
        // A file that changed meanwhile is measured again the next time.
        if let before, before == LoudnessList.Version(path) {
          list.withLock { $0.add(measured, path, before) }
        }
        return .success(measured)
      } catch { return .failure(error) }
    }

    private func save() {
      guard let path, let bytes = list.withLock({ $0.takeChanges() }) else { return }
      try? System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
      // A cache that cannot be kept is measured again.
      try? WholeFile.replace(path, with: bytes, permissions: 0o600)
    }
  }

  private let work: Work
  private let thread: PacedThread

  /// Begins with what the file keeps; a lost or damaged file is made anew.
  ///
  /// - Parameter path: of the file, in the folder of the state; nil to keep the results only as long as the program runs.
  public init(path: String?) {
    let work = Work(path)
    self.work = work
    let hasBegun = Mutex(false)
    thread = PacedThread(name: "mr-loudness", bell: work.bell) {
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if isFirst {
        OwnThread.enterBackground()
        work.read()
      }
      return work.serve()
    }
  }

  deinit { stop() }

  /// Ends the thread, and the measurement that it makes. Waits for the disk.
  public func stop() {
    work.isOver.store(true, ordering: .relaxed)
    thread.stop()
  }

  /// Measures a file soon, or finds what is known of it. Files that were asked for first come first.
  ///
  /// - Parameters:
  ///   - find: the path of the file, for what `path` says; called on the thread of the cache, where it may wait for the disk.
  ///   - done: called on the thread of the cache.
  public func measure(
    _ path: String, find: @escaping @Sendable (String) throws(MediaError) -> String = { $0 },
    done: @escaping @Sendable (Result<SoundLoudness, MediaError>) -> Void
  ) {
    work.requests.withLock { requests in
      if let index = requests.firstIndex(where: { $0.path == path }) {
        requests[index].done.append(done)
      } else {
        requests.append(Request(path: path, find: find, done: [done]))
      }
    }
    work.bell.ring()
  }
}
