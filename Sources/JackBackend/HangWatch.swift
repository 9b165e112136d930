import JackClient
import Synchronization
import Threads

/// Has calls to a server that no longer answers fail, which libjack would wait for without a limit.
///
/// A thread looks twice a second whether a call goes on while the server runs no periods. A server that is only busy with another
/// client goes on to run them; it waits 2 s at most for a client that is slow to answer.
final class HangWatch: Sendable {
  /// Seconds without a period after which a server counts as gone.
  static let patience: Double = 3
  /// The same before the first period: what the server is told at the start makes it ask all its clients.
  private static let firstPatience: Double = 10

  private struct Observation {
    /// Periods by now; nil once the client is being closed, since there will be no more.
    var cycles: (@Sendable () -> Int)?
    /// Periods when the server was last seen to run.
    var lastCycles = 0
    /// When the server was last seen to run, or the present call began.
    var lastSign: UInt64 = 0
    var isCalling = false
    var hasCut = false
  }

  private final class Shared: Sendable {
    let observation: Mutex<Observation>
    let socket: ServerSocket
    init(_ socket: ServerSocket, _ cycles: @escaping @Sendable () -> Int) {
      self.socket = socket
      observation = Mutex(Observation(cycles: cycles))
    }
  }

  private let shared: Shared
  private let thread: WorkThread

  /// - Parameter cycles: how many periods the server has run for us; called until `endOfPeriods`, on any thread.
  init(_ socket: ServerSocket, cycles: @escaping @Sendable () -> Int) {
    let shared = Shared(socket, cycles)
    self.shared = shared
    thread = WorkThread(name: "mr-hang") { stop in
      while !WorkThread.wait(stop, milliseconds: 500) { Self.look(shared) }
    }
  }

  /// Makes a call to the server that may wait for it.
  func call<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    shared.observation.withLock { observation in
      (observation.isCalling, observation.lastSign) = (true, JackCalls.time())
      observation.lastCycles = observation.cycles?() ?? observation.lastCycles
    }
    defer { shared.observation.withLock { $0.isCalling = false } }
    return try body()
  }

  /// Whether a call had to be ended, so that the client is of no use any more.
  var hasCut: Bool { shared.observation.withLock { $0.hasCut } }

  /// The client is about to be closed: what counts periods goes with it. One that the server does not run is not waited for.
  func endOfPeriods(isRunning: Bool) {
    shared.observation.withLock { ($0.lastCycles, $0.cycles) = ($0.cycles?() ?? 0, nil) }
    if !isRunning { shared.socket.stopReading() }
  }

  /// Ends the watch; no call goes on.
  func stop() { thread.stop() }

  private static func look(_ shared: Shared) {
    let mustCut = shared.observation.withLock { observation in
      guard observation.isCalling, !observation.hasCut else { return false }
      let now = JackCalls.time()
      let cycles = observation.cycles?() ?? observation.lastCycles
      if cycles != observation.lastCycles { (observation.lastCycles, observation.lastSign) = (cycles, now) }
      let patience = cycles == 0 ? firstPatience : self.patience
      observation.hasCut = Double(now &- observation.lastSign) > patience * 1e6
      return observation.hasCut
    }
    if mustCut { shared.socket.stopReading() }
  }
}
