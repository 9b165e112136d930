import Synchronization
public import Threads

/// The thread that writes for all recorders. It wakes every 10 ms while one records or listens, and sleeps otherwise.
public final class RecorderWriter: Sendable {
  /// The recorders that the thread writes for. Recorders keep this and not the thread.
  final class Recorders: Sendable {
    fileprivate let works = Mutex<[RecorderWork]>([])
    /// Those that were taken off, whose files are to be finished.
    fileprivate let leaving = Mutex<[RecorderWork]>([])
    fileprivate let clock = Mutex(RecordingClock())
    fileprivate let freewheels = Atomic<Bool>(false)
    fileprivate let bell = PacedThread.Bell()

    func wake() { bell.ring() }

    func add(_ recorder: Recorder) { works.withLock { $0.append(RecorderWork(recorder)) } }

    func remove(_ recorder: Recorder) {
      let found = works.withLock { works in
        works.firstIndex { $0.isOf(recorder) }.map { works.remove(at: $0) }
      }
      if let found { leaving.withLock { $0.append(found) } }
      wake()
    }
  }

  let recorders = Recorders()
  private let thread: PacedThread

  public init() {
    thread = PacedThread(name: "mr-writer", bell: recorders.bell) { [recorders] in Self.pass(recorders) }
  }

  deinit { stop() }

  /// Ends the thread and finishes all files. May wait for the disk.
  public func stop() {
    thread.stop()
    let rest = recorders.works.withLock { $0 } + recorders.leaving.withLock { $0 }
    for work in rest { work.end() }
  }

  /// Whether the server freewheels: the thread then looks after every millisecond. The audio thread waits for it, if `RecorderTap.begin` is told.
  public func setFreewheel(_ freewheels: Bool) {
    recorders.freewheels.store(freewheels, ordering: .releasing)
    recorders.wake()
  }

  /// How often the thread has looked after its recorders: it stands still while none records or listens.
  public var passes: Int { thread.passes.count }

  /// How long these looks took.
  public var passTimes: PassTimes { thread.passes }

  /// Seconds of the longest look that has ended since the last call; 0 if none has.
  public func takeLongestPass() -> Double { thread.takeLongestPass() }

  private static func pass(_ recorders: Recorders) -> PacedThread.Pace {
    let leaving = recorders.leaving.withLock { leaving in
      defer { leaving = [] }
      return leaving
    }
    for work in leaving { work.end() }
    var isBusy = false
    for work in recorders.works.withLock({ $0 }) {
      let busy = recorders.clock.withLock { work.pass(&$0) }
      isBusy = isBusy || busy
    }
    let freewheels = recorders.freewheels.load(ordering: .acquiring)
    return isBusy ? .after(milliseconds: freewheels ? 1 : 10) : .woken
  }
}
