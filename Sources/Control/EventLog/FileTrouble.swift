import Synchronization
import Writers

/// Tracks whether a file can be written and how many lines it has lost. Reports the beginning and the end of a failure once. Any thread
/// may call.
final class FileTrouble: Sendable {
  private struct State {
    /// Whether a failure was reported and its end was not.
    var isTold = false
    /// Lines lost since the failure began.
    var missing = 0
    /// Lines that were refused because the queue was full.
    var dropped = 0
    /// Refused lines whose gap the writer has reached.
    var passed = 0
  }

  private let path: String
  private let tell: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter tell: receives a message for the user; it must not wait.
  init(path: String, tell: @escaping @Sendable (String) -> Void) { (self.path, self.tell) = (path, tell) }

  /// Notes that the queue was full and a line was dropped.
  func noteDropped() {
    begin("it accepts no lines") { state in
      state.dropped += 1
      // The writer may already have reached the gap, so that the failure may have ended.
      return state.dropped > state.passed
    }
  }

  /// Notes that a write has not returned for a long time.
  func noteStalled() { begin("it accepts no lines") { _ in true } }

  /// Notes that the writer has reached a gap of dropped lines.
  func noteGap(of count: Int) {
    begin("it accepts no lines") { state in
      state.passed += count
      state.missing += count
      return true
    }
  }

  /// Notes that a line could not be written.
  func noteFailed(_ error: LineFileError) {
    begin("\(error)") { state in
      state.missing += 1
      return true
    }
  }

  /// Notes that a line was written. The failure ends only when the writer has passed all gaps.
  func noteWritten() {
    let missing = state.withLock { state -> Int? in
      guard state.isTold, state.dropped <= state.passed else { return nil }
      defer { (state.isTold, state.missing) = (false, 0) }
      return state.missing
    }
    if let missing { tell("\(path) can be written again; \(missing) events are missing") }
  }

  /// Reports a failure if `change` returns true and none was reported before.
  private func begin(_ reason: String, _ change: (inout State) -> Bool) {
    let isNew = state.withLock { state in
      guard change(&state), !state.isTold else { return false }
      state.isTold = true
      return true
    }
    if isNew { tell("\(path) is losing events: \(reason)") }
  }
}
