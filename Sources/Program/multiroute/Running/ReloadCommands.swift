import OSCSurface
import SessionModel
import Synchronization
import SystemCalls

/// The clients' commands to read the preset again, until the thread that waits for signals carries them out.
///
/// Each command sends this process the signal that an operator may send, so that both take the same path.
final class ReloadCommands: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Surface.Errand] = []
  }

  private let state = Mutex(State())

  /// Accepts commands from now on.
  func open() { state.withLock { $0.isOpen = true } }

  /// Takes a command; never waits. Any thread may call.
  /// - Throws: `SessionError` mediaServicesFailed while the router starts.
  func add(_ reload: Surface.Errand) throws(SessionError) {
    let isAccepted = state.withLock { state in
      if state.isOpen { state.waiting.append(reload) }
      return state.isOpen
    }
    guard isAccepted else {
      throw SessionError(
        .mediaServicesFailed, "the preset is not in force yet, because the router waits for its JACK server")
    }
    // A process may always send itself a signal.
    try? System.kill(System.getpid(), .hangUp)
  }

  /// The commands that came since the last call.
  func take() -> [Surface.Errand] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
