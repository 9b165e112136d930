import JSON5
public import Presets
public import SessionModel
import Synchronization
import SystemCalls
import Writers

/// Keeps the state in a file, to restore it after a crash. It writes at most once a second, and only if the kept part has changed. If it
/// cannot write, it reports that once, and tries again every five seconds.
///
/// Used on the policy thread, which never waits: the thread `mr-state` makes the document and writes the file.
public final class StateKeeper {
  private let file: StateFile
  private let written: WrittenState
  private let writer: LatestWriter<Snapshot>
  private var last: Snapshot?
  private var next = 0.0
  /// Whether the state may differ from the one that was kept last.
  private var isOutdated = true
  /// Whether the last write is known to have failed.
  private var isRetrying = false

  /// Seconds between two comparisons of the state, between two writes, and before another try after a failure.
  private static let (looking, writing, retrying) = (0.1, 1.0, 5.0)
  /// Seconds to wait for a running write at the end.
  private static let patience = 0.2

  /// - Parameters:
  ///   - start: the file of the preset with which the run began; nil if it began without one.
  ///   - tell: receives a message for the user on another thread when writing fails, and when it works again.
  public init(_ file: StateFile, start: String?, tell: @escaping @Sendable (String) -> Void) {
    self.file = file
    let written = WrittenState(file, start: start, tell: tell)
    self.written = written
    writer = LatestWriter(name: "mr-state") { written.write($0) }
  }

  /// The values from which the document is made.
  struct Snapshot: Equatable, Sendable {
    let state: RouterState
    let preset: KeptPreset
    let taken: TakenConnections?
    /// Router time in seconds at which the places of players are kept; 0 while no player that keeps its place plays.
    let placeTime: Double

    init(state: RouterState, preset: KeptPreset, taken: TakenConnections?, at time: Double) {
      (self.state, self.preset, self.taken) = (state, preset, taken)
      let moves = state.players.contains { $0.isKept && $0.isPlaying }
      placeTime = moves ? (time / Self.placing).rounded(.down) * Self.placing : 0
    }

    /// Seconds between two writes of a place.
    private static let placing = 5.0
  }

  /// Passes a state to the writer if it differs from the last one and a second has passed.
  /// - Parameters:
  ///   - taken: connections that the router took away from other programs and must give back.
  ///   - time: the present, in seconds of the router's time.
  public func keep(_ state: RouterState, of preset: KeptPreset, taken: TakenConnections?, at time: Double) {
    guard nextDue != nil, time >= next else { return }
    let hasFailed = written.isFailing
    guard !hasFailed || isRetrying else {
      // The log has one line a second for errors of a kind, so that an earlier end of the failure could be missing there.
      (isRetrying, next) = (true, time + Self.retrying)
      return
    }
    (isOutdated, isRetrying, next) = (false, hasFailed, time + Self.looking)
    let snapshot = Snapshot(state: state, preset: preset, taken: taken, at: time)
    guard hasFailed || snapshot != last else { return }
    (last, next) = (snapshot, time + (hasFailed ? Self.retrying : Self.writing))
    writer.post(snapshot)
  }

  /// Writes a state, and none after it. Waits for the disk, but at most 0.2 s.
  public func keepLast(_ state: RouterState, of preset: KeptPreset, taken: TakenConnections?, at time: Double)
  {
    writer.post(Snapshot(state: state, preset: preset, taken: taken, at: time))
    writer.finish(within: Self.patience)
  }

  /// Notes that the state may differ from the one that was kept last.
  public func noteChange() { isOutdated = true }

  /// The time at which `keep` must be called next, in seconds of the router's time; nil if everything is kept.
  public var nextDue: Double? { isOutdated || written.isFailing ? next : nil }

  /// Removes the file, because the run ended cleanly. Waits for a running write, but at most 0.2 s.
  public func forget() {
    if writer.finish(within: Self.patience) { file.remove() }
  }
}

/// The content of the file, used on the writer's thread.
private final class WrittenState: Sendable {
  private let file: StateFile
  private let start: String?
  private let tell: @Sendable (String) -> Void
  /// The document that was written last, without its time. Only the writer's thread locks it.
  private let document = Mutex<JSONValue?>(nil)
  private let hasFailed = Atomic(false)

  init(_ file: StateFile, start: String?, tell: @escaping @Sendable (String) -> Void) {
    (self.file, self.start, self.tell) = (file, start, tell)
  }

  /// Whether the last write failed. Any thread; never waits.
  var isFailing: Bool { hasFailed.load(ordering: .relaxed) }

  /// Writes a state if its document has changed. Measured values change often, but are not part of the document.
  func write(_ snapshot: StateKeeper.Snapshot) {
    let (preset, state) = (snapshot.preset, snapshot.state)
    var head = KeptHead(
      preset: preset.id, path: preset.path, hash: preset.hash, time: "", taken: snapshot.taken)
    (head.start, head.isModified) = (start, state.presets.isModified)
    let document = KeptDocument.json(of: state, head: head, at: snapshot.placeTime)
    guard document != self.document.withLock({ $0 }) else { return noteSuccess() }
    head.time = WallClock.now
    do throws(SystemError) {
      try file.write(KeptDocument.json(of: state, head: head, at: snapshot.placeTime).text)
    } catch {
      guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
      return tell("the state cannot be saved in \(file.path): \(error.reason)")
    }
    self.document.withLock { $0 = document }
    noteSuccess()
  }

  private func noteSuccess() {
    if hasFailed.exchange(false, ordering: .relaxed) { tell("the state is saved again in \(file.path)") }
  }
}
