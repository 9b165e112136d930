import ControlInterface
import MediaFolders
import OSCSurface
import Router
import SessionModel
import SoundFiles
import Synchronization
import SystemCalls
import Threads

/// Takes the clients' commands to process files, and follows the jobs. A thread of its own looks at the files: the disk may be slow.
final class ProcessDesk: ControlListener, Sendable {
  private let media: MediaFolders
  private let turns = JobTurns(processors: System.processors)
  private let state = Mutex(State())
  /// Counts the work that waits, and the end.
  private let bell = Semaphore()

  private struct State {
    var waiting: [Work] = []
    var jobs: [ProcessJob] = []
    var lastNumber = 0
    var isEnded = false
    var thread: OwnThread?
  }

  private enum Work {
    case errand(Surface.Errand)
    /// Remove the file of a cancelled job.
    case clear(ProcessJob)
  }

  /// Greatest number of commands that wait for the disk, and of jobs.
  private static let most = 64
  /// Seconds that jobs have at the end.
  private static let patience = 0.1

  init(_ media: MediaFolders) { self.media = media }

  /// Takes a command; never waits. Any thread may call.
  /// - Throws: `SessionError` full if too many commands wait.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    let isAccepted = state.withLock { state in
      guard state.waiting.count < Self.most else { return false }
      state.waiting.append(.errand(errand))
      return true
    }
    guard isAccepted else {
      throw SessionError(
        .full, "too many commands about files wait for the disk; send the command again later")
    }
    bell.signal()
  }

  /// Begins to carry out commands.
  func open(to service: RouterService, _ surface: SurfaceService) {
    let thread = OwnThread("mr-process") { [self] in
      while true {
        bell.wait()
        let next = state.withLock { $0.isEnded || $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        switch next {
        case nil: return
        case .clear(let job):
          job.removeFile()
          // Its thread may end later; the name is free now.
          remove(job)
        case .errand(let errand):
          var refusal: SessionError?
          do throws(SessionError) { try begin(errand.job, service) } catch { refusal = error }
          service.post { [refusal] _ in surface.answer([errand], refusal) }
        }
      }
    }
    state.withLock { $0.thread = thread }
  }

  /// Ends all jobs; none leaves a file. Does not wait for the disk.
  func close() {
    let (thread, jobs) = state.withLock { state in
      state.isEnded = true
      return (state.thread.take(), state.jobs)
    }
    thread?.detach()
    bell.signal()
    let end = MonotonicTime.now + Self.patience
    for job in jobs { job.cancel() }
    for job in jobs where !job.waitForEnd(seconds: end - MonotonicTime.now) { job.removeFile() }
  }

  // MARK: ControlListener

  func publish(_ change: Change) {
    let jobs = state.withLock(\.jobs)
    for job in jobs where job.follow(change.after.sessions[job.session]) {
      state.withLock { $0.waiting.append(.clear(job)) }
      bell.signal()
    }
  }

  // MARK: Jobs

  private func begin(_ work: Surface.Errand.Job, _ service: RouterService) throws(SessionError) {
    guard case .process(let session, let input, let output) = work else { return }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let process = FileProcess(number: number, input: input, output: output)
    let job = try prepare(session, process, service)
    state.withLock { $0.jobs.append(job) }
    let refusal = service.wait { await $0.attempt(.process(session, .began(process))) }
    if let refusal {
      remove(job)
      throw refusal
    }
    job.start { event in
      service.post { _ = await $0.attempt(.process(session, event)) }
    } conclude: { [weak self] end in
      self?.conclude(job, end, service) ?? false
    }
  }

  /// Tells the router how a job ended; false if it was cancelled before.
  private func conclude(_ job: ProcessJob, _ end: ProcessJob.End, _ service: RouterService) -> Bool {
    defer { remove(job) }
    let number = job.process.number
    let event: ProcessEvent
    switch end {
    case .cancelled: return false
    case .done: event = .done(number)
    case .failed(let error): event = .failed(number, error)
    }
    return service.wait { router in
      _ = await router.attempt(.process(job.session, event))
      let process = await router.snapshot.sessions[job.session]?.process
      return process?.number == number && process?.phase != .cancelled
    }
  }

  private func remove(_ job: ProcessJob) { state.withLock { $0.jobs.removeAll { $0 === job } } }

  /// Opens both files.
  private func prepare(
    _ session: SessionID, _ process: FileProcess, _ service: RouterService
  ) throws(SessionError) -> ProcessJob {
    let jobs = state.withLock(\.jobs)
    guard jobs.count < Self.most else {
      throw SessionError(
        .full, "\(jobs.count) files are processed or wait, the maximum; wait for one of them")
    }
    let feed = try open(process.input)
    let path = try place(of: process.output, jobs)
    let (state, time) = service.wait { await $0.moment }
    let offline = try OfflineSession(session, in: state, at: time, rate: feed.sampleRate)
    if let misfit = feed.misfit(with: "the widest stream of \(session)", channels: offline.width) {
      throw SessionError(
        .badValue,
        "\(misfit); make a stream for all of them (/session/\(session)/stream/create wide \(feed.channelCount))"
      )
    }
    let file: NewSoundFile
    do throws(MediaError) {
      file = try NewSoundFile(
        path: path, replaces: false, channelCount: offline.channels, sampleRate: feed.sampleRate)
    } catch { throw SessionError(.io, "\(error)") }
    return ProcessJob(session, process, feed, offline, file, turns)
  }

  private func open(_ name: String) throws(SessionError) -> SoundFeed {
    let found: MediaFile
    do throws(MediaNameError) { found = try media.find(name) } catch {
      throw SessionError(error.isMissing ? .notFound : .badValue, "\(error)")
    }
    guard found.kind == .sound else {
      throw SessionError(
        .badValue, "\(name) is a \(found.kind == .folder ? "folder" : "playlist"); name one sound file")
    }
    do throws(MediaError) { return try SoundFeed(path: found.path) } catch {
      throw SessionError(.io, "\(error)")
    }
  }

  private func place(of name: String, _ jobs: [ProcessJob]) throws(SessionError) -> String {
    guard SoundFileFormat(path: name) != nil else {
      throw SessionError(.badValue, "\(MediaError.unknownFormat(path: name))")
    }
    let path: String
    do throws(MediaNameError) { path = try media.place(of: name) } catch {
      throw SessionError(error.code, "\(error)")
    }
    if let other = jobs.first(where: { $0.path == path }) {
      throw SessionError(.exists, "\(other.session) writes \(name) now; write another name")
    }
    return path
  }
}

extension MediaNameError {
  /// The error of a surface for the name of a new file.
  fileprivate var code: ErrorCode {
    switch self {
    case .taken: .exists
    case .missing, .noFolder: .notFound
    case .unreadable: .io
    case .absolute, .leavesFolder, .linkOut, .linkLoop, .special, .folder, .hidden: .badValue
    }
  }
}
