import Synchronization
import Threads

/// Lets so many jobs work at once as leave one processor to the show. The others wait in the order in which they came.
final class JobTurns: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// Jobs that may still begin to work.
    var free: Int
    var waiting: [Turn] = []
  }

  /// The place of a job in the queue.
  final class Turn: Sendable {
    fileprivate let bell = Semaphore()
    /// Whether the job gave up its place.
    fileprivate let isGone = Atomic(false)
  }

  init(processors: Int) { state = Mutex(State(free: max(1, processors - 1))) }

  /// Waits for the job's turn.
  ///
  /// - Returns: false if the job gave up its place; then it has no turn.
  func wait(_ turn: Turn) -> Bool {
    let mustWait = state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return false
      }
      state.waiting.append(turn)
      return true
    }
    if mustWait { turn.bell.wait() }
    return !turn.isGone.load(ordering: .relaxed)
  }

  /// Passes the turn on.
  func pass() {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return state.free += 1 }
      state.waiting.removeFirst().bell.signal()
    }
  }

  /// Takes a job out of the queue; without effect if it does not wait there.
  func leave(_ turn: Turn) {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return }
      state.waiting.remove(at: index)
      turn.isGone.store(true, ordering: .relaxed)
      turn.bell.signal()
    }
  }
}
