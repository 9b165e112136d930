import Router
import SessionModel
import SoundFiles
import Synchronization
import SystemCalls
import Threads

/// A file on its way through a session, on a thread of its own that works only while nothing else wants the processor.
///
/// `@unchecked Sendable` is safe because only the job's thread uses the feed.
final class ProcessJob: @unchecked Sendable {
  let session: SessionID
  let process: FileProcess
  private let feed: SoundFeed
  private let offline: OfflineSession
  private let file: NewSoundFile
  private let turns: JobTurns
  private let turn = JobTurns.Turn()
  private let state = Mutex(State())
  /// Rings when a pause ends, and when the job is cancelled.
  private let bell = Semaphore()
  private let hasEnded = Semaphore()

  private struct State {
    /// Whether the router's state has had the job.
    var isKnown = false
    var isPaused = false
    var isCancelled = false
  }

  /// The end of a job.
  enum End {
    case done
    case cancelled
    case failed(SessionError)
  }

  /// Seconds between two reports of the progress.
  private static let pause = 0.1

  init(
    _ session: SessionID, _ process: FileProcess, _ feed: SoundFeed, _ offline: OfflineSession,
    _ file: NewSoundFile,
    _ turns: JobTurns
  ) {
    (self.session, self.process, self.feed, self.offline) = (session, process, feed, offline)
    (self.file, self.turns) = (file, turns)
  }

  var path: String { file.path }

  // MARK: The session

  /// Follows the session: the job pauses while it is interrupted, and ends when the state has this job no longer. Never waits.
  ///
  /// - Returns: whether the job has just been cancelled.
  func follow(_ session: Session?) -> Bool {
    let present = session?.process
    let isPresent = present?.number == process.number && present?.isPending == true
    let isActive = session?.isActive == true
    let (isNews, isCancelled) = state.withLock { state in
      guard !state.isCancelled, isPresent || state.isKnown else { return (false, false) }
      state.isKnown = true
      let isCancelled = !isPresent
      let isNews = isCancelled || state.isPaused == isActive
      (state.isCancelled, state.isPaused) = (isCancelled, !isActive)
      return (isNews, isCancelled)
    }
    if isNews { bell.signal() }
    if isCancelled { turns.leave(turn) }
    return isCancelled
  }

  /// Ends the job. Any thread; does not wait for the job's thread.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    bell.signal()
    turns.leave(turn)
  }

  /// Removes what was written. May wait for the disk.
  func removeFile() { file.giveUp() }

  /// Waits until the job's thread is done with its file; false if it takes longer than so many seconds.
  func waitForEnd(seconds: Double) -> Bool { hasEnded.wait(seconds: seconds) }

  private var isCancelled: Bool { state.withLock(\.isCancelled) }

  // MARK: The work

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - tell: takes the steps of the job.
  ///   - conclude: takes the end, on the job's thread; returns false if the job was cancelled before.
  func start(tell: @escaping @Sendable (ProcessEvent) -> Void, conclude: @escaping @Sendable (End) -> Bool) {
    OwnThread("mr-job") { [self] in
      OwnThread.enterBackground()
      let end = work(tell)
      if case .done = end {} else { file.giveUp() }
      let wasInTime = conclude(end)
      // The file was made, and cancelled at the same moment.
      if case .done = end, !wasInTime { try? System.unlink(file.path) }
      hasEnded.signal()
    }.detach()
  }

  private func work(_ tell: (ProcessEvent) -> Void) -> End {
    guard turns.wait(turn) else { return .cancelled }
    defer { turns.pass() }
    tell(.started(process.number))
    var rendering = offline.begin()
    var (read, rendered, next) = (0, 0, MonotonicTime.now)
    do throws(MediaError) {
      while true {
        if !goesOn() { return .cancelled }
        // Behind the end of the file, silence brings out what the effects still hold.
        read += try feed.advance(frames: OfflineSession.period)
        guard rendered < read + rendering.delay else { break }
        let heard = rendering.render { feed.samples(channel: $0, of: $1) }
        // The effects' delay is left out, so that the new file begins with the first frame.
        let (begin, end) = (rendering.delay - rendered, read + rendering.delay - rendered)
        try file.write(heard.map { Array($0.prefix(end).dropFirst(max(0, begin))) })
        rendered += OfflineSession.period
        let now = MonotonicTime.now
        if now >= next, let length = feed.length, length > 0 {
          next = now + Self.pause
          tell(.progress(process.number, Double(read) / Double(length)))
        }
      }
      if let fault = rendering.fault { return .failed(SessionError(.io, fault)) }
      try file.finish()
      return .done
    } catch {
      return isCancelled ? .cancelled : .failed(SessionError(.io, "\(error)"))
    }
  }

  /// Waits while the session is interrupted, and lets other jobs work meanwhile; false if the job was cancelled.
  private func goesOn() -> Bool {
    var (isPaused, isCancelled) = state.withLock { ($0.isPaused, $0.isCancelled) }
    guard isPaused, !isCancelled else { return !isCancelled }
    turns.pass()
    while isPaused, !isCancelled {
      bell.wait()
      (isPaused, isCancelled) = state.withLock { ($0.isPaused, $0.isCancelled) }
    }
    // `work` passes the turn on at its end, so it must have one again, also after a cancellation.
    return turns.wait(JobTurns.Turn()) && !self.isCancelled
  }
}
