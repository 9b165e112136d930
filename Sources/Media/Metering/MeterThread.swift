import Synchronization
public import Threads

/// The thread of all meters. It looks every 10 ms while one listens, and sleeps otherwise.
public final class MeterThread: Sendable {
  /// The outputs that it measures. They keep this and not the thread.
  final class Outputs: Sendable {
    fileprivate let works = Mutex<[MeterWork]>([])
    fileprivate let freewheels = Atomic<Bool>(false)
    fileprivate let bell = PacedThread.Bell()

    func wake() { bell.ring() }

    func add(_ output: MeteredOutput) { works.withLock { $0.append(MeterWork(output)) } }

    func remove(_ output: MeteredOutput) { works.withLock { $0.removeAll { $0.isOf(output) } } }
  }

  let outputs = Outputs()
  private let thread: PacedThread

  public init() {
    thread = PacedThread(name: "mr-meter", bell: outputs.bell) { [outputs] in
      var isBusy = false
      for work in outputs.works.withLock({ $0 }) where work.pass() { isBusy = true }
      let freewheels = outputs.freewheels.load(ordering: .acquiring)
      return isBusy ? .after(milliseconds: freewheels ? 1 : 10) : .woken
    }
  }

  deinit { thread.stop() }

  /// Whether the server freewheels: the thread then looks after every millisecond, and the audio thread waits for it.
  public func setFreewheel(_ freewheels: Bool) {
    outputs.freewheels.store(freewheels, ordering: .releasing)
    outputs.wake()
  }

  /// How often the thread has looked, and how long that took: it stands still while no meter listens.
  public var passTimes: PassTimes { thread.passes }
}
