import Synchronization
import Threads

/// The thread that writes for all recorders. It wakes every 10 ms while one records or listens, and sleeps otherwise.
public final class RecorderWriter: Sendable {
  private final class Shared: Sendable {
    let recorders = Mutex<[(recorder: Recorder, work: RecorderWork)]>([])
    /// Recorders that were taken off, whose files are to be finished.
    let leaving = Mutex<[(recorder: Recorder, work: RecorderWork)]>([])
    let clock = Mutex(RecordingClock())
    let freewheels = Atomic<Bool>(false)
    let passes = Atomic<Int>(0)
  }

  private let shared = Shared()
  private let thread: PacedThread

  public init() {
    thread = PacedThread(name: "mr-writer") { [shared] in Self.pass(shared) }
  }

  deinit { stop() }

  /// Ends the thread and finishes all files. May wait for the disk.
  public func stop() {
    thread.stop()
    let rest = shared.recorders.withLock { $0 } + shared.leaving.withLock { $0 }
    for (_, work) in rest { work.end() }
  }

  /// Whether the server freewheels: the thread then looks after every millisecond. The audio thread waits for it, if `RecorderTap.begin` is told.
  public func setFreewheel(_ freewheels: Bool) {
    shared.freewheels.store(freewheels, ordering: .releasing)
    thread.wake()
  }

  /// How often the thread has looked after its recorders: it stands still while none records or listens.
  public var passes: Int { shared.passes.load(ordering: .relaxed) }

  func wake() { thread.wake() }

  func add(_ recorder: Recorder) {
    let work = RecorderWork(recorder)
    shared.recorders.withLock { $0.append((recorder, work)) }
  }

  func remove(_ recorder: Recorder) {
    let found = shared.recorders.withLock { recorders in
      recorders.firstIndex { $0.recorder === recorder }.map { recorders.remove(at: $0) }
    }
    if let found { shared.leaving.withLock { $0.append(found) } }
    thread.wake()
  }

  private static func pass(_ shared: Shared) -> PacedThread.Pace {
    shared.passes.wrappingAdd(1, ordering: .relaxed)
    let leaving = shared.leaving.withLock { leaving in
      defer { leaving = [] }
      return leaving
    }
    for (_, work) in leaving { work.end() }
    var isBusy = false
    for (_, work) in shared.recorders.withLock({ $0 }) {
      let busy = shared.clock.withLock { work.pass(&$0) }
      isBusy = isBusy || busy
    }
    let freewheels = shared.freewheels.load(ordering: .acquiring)
    return isBusy ? .after(milliseconds: freewheels ? 1 : 10) : .woken
  }
}
