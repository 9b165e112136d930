import Commands
import ControlInterface
import MediaFolders
import MusicLibrary
import OSCSurface
import Queues
import Router
import SessionModel
import Synchronization
import SystemCalls
import Threads
import WebServer

/// Finds the sound files that clients name, and answers about the music library, one job after the other on a thread of its own: the disk
/// may be slow.
///
/// It also keeps the library up to date, on another thread, from the start if the user has a media folder. The shipped sounds alone are looked
/// through when a client first asks for the library, which costs memory.
final class MediaDesk: Sendable {
  let folders: MediaFolders
  let library: MusicLibrary
  /// The folder into which recorders write.
  let recordings: String
  /// The media folders of the user.
  private let own: [String]
  private let covers: CoverFiles
  private let state = Mutex(State())
  /// Counts the jobs that wait, and the end.
  private let bell = Semaphore()
  /// The problem of the library that was told last.
  private let problem = Mutex<String?>(nil)

  private enum Job {
    case words(number: Int, [String])
    case errand(Surface.Errand, Surface.MediaJob)
    /// Find the files that the words of a player mean.
    case search(PlayerID, [String])
    /// Find the picture for a sound file.
    case cover(String, @Sendable (String?) -> Void)
    /// Answer the request of a host for a recording.
    case download(String, HostAddress, WebServer.Reply)
    /// Keep the library up to date, if the user has a media folder.
    case follow
  }

  private struct State {
    var waiting: [Job] = []
    var isEnded = false
    var isFollowing = false
    var thread: OwnThread?
    var open: (service: RouterService, surface: SurfaceService)?
  }

  /// Greatest number of jobs that wait.
  private static let mostWaiting = 1_024

  init(_ folders: Folders) {
    self.folders = MediaFolders(folders.media, own: folders.ownMedia)
    library = MusicLibrary(self.folders, stateFolder: folders.state)
    covers = CoverFiles(self.folders, cache: "\(folders.cache)/covers")
    recordings = folders.recordings
    own = folders.media.filter { $0 != folders.shippedMedia }
  }

  // MARK: Jobs

  /// Takes the words of a packet that name files; never waits. Any thread may call.
  /// - Throws: `SessionError` full if too many jobs wait.
  func find(_ number: Int, _ words: [String]) throws(SessionError) { try add(.words(number: number, words)) }

  /// Takes an errand; never waits. Any thread may call.
  /// - Throws: `SessionError` full if too many jobs wait.
  func add(_ errand: Surface.Errand, _ job: Surface.MediaJob) throws(SessionError) {
    try add(.errand(errand, job))
  }

  /// Finds the path of the picture for a sound file by the file's name; nil if there is none. Never waits; `done` is called on the desk's thread.
  func findCover(of name: String, _ done: @escaping @Sendable (String?) -> Void) {
    try? add(.cover(name, done))
  }

  /// Answers a request for the recording of a name; never waits. Any thread may call.
  func download(_ name: String, for host: HostAddress, _ reply: @escaping WebServer.Reply) {
    do throws(SessionError) { try add(.download(name, host, reply)) } catch {
      reply { WebAnswer(status: 503, error.sentence) }
    }
  }

  /// Begins to look for the files that a player's words mean; never waits.
  func search(for words: [String], of player: PlayerID) {
    do throws(SessionError) { try add(.search(player, words)) } catch {
      if let service = state.withLock({ $0.open?.service }) {
        abandon(words, of: player, because: error, service)
      }
    }
  }

  private func add(_ job: Job) throws(SessionError) {
    let isAccepted = state.withLock { state in
      guard state.waiting.count < Self.mostWaiting else { return false }
      state.waiting.append(job)
      if state.thread == nil, let (service, surface) = state.open { state.thread = start(service, surface) }
      return true
    }
    guard isAccepted else {
      throw SessionError(.full, "too many commands wait for the media folders; send the command again later")
    }
    bell.signal()
  }

  /// Begins to carry out jobs, and to keep the library up to date.
  func open(to service: RouterService, _ surface: SurfaceService) {
    state.withLock { $0.open = (service, surface) }
    if !own.isEmpty { try? add(.follow) }
  }

  private func start(_ service: RouterService, _ surface: SurfaceService) -> OwnThread {
    OwnThread("mr-media") { [self] in
      while true {
        bell.wait()
        let next = state.withLock { $0.isEnded || $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        switch next {
        case nil: return
        case .words(let number, let words):
          var meanings: [String: QueueAddition] = [:]
          for word in words { meanings[word] = items(for: word) }
          service.post { [meanings] _ in surface.found(number, meanings) }
        case .errand(let errand, let job): perform(errand, job, service, surface)
        case .search(let player, let words): find(words, of: player, service)
        case .cover(let name, let done): done(covers.path(of: name))
        case .download(let name, let host, let reply):
          let answer = download(name, for: host, service, surface)
          reply { answer }
        case .follow: if own.contains(where: Self.isFolder) { follow(service) }
        }
      }
    }
  }

  /// Ends the thread after the job that it carries out now. Does not wait, because a disk may hang.
  func close() {
    let thread = state.withLock { state in
      state.isEnded = true
      return state.thread.take()
    }
    thread?.detach()
    bell.signal()
  }

  // MARK: The library

  /// The number of files that the library has opened since the start.
  var counters: [Statistic] { [Statistic("opened", library.status.opened)] }

  /// Whether there is a media folder now.
  var hasFolder: Bool { folders.paths.contains(where: Self.isFolder) }

  private static func isFolder(_ path: String) -> Bool { (try? System.stat(path))?.kind == .folder }

  /// Has the library kept up to date from now on, if there is a media folder.
  func follow(_ service: RouterService) {
    guard hasFolder else { return }
    let isFirst = state.withLock { state in
      defer { state.isFollowing = true }
      return !state.isFollowing && !state.isEnded
    }
    guard isFirst else { return }
    library.start { [weak self] in self?.tell($0.progress, $0.problem, service) }
  }

  /// Ends the library's thread. Waits for the file that it reads.
  func stopLibrary() { library.stop() }

  /// Tells the router how far the library is. On the library's thread.
  private func tell(_ progress: Double, _ trouble: String?, _ service: RouterService) {
    let status = LibraryFacts(count: (try? library.count()) ?? 0, progress: progress)
    let news = problem.withLock { problem in
      defer { problem = trouble }
      return trouble == problem ? nil : trouble
    }
    service.post { router in
      await router.happen(.library(status))
      if let news { await router.tell(.error(client: 0, address: "/library/scan", SessionError(.io, news))) }
    }
  }
}
