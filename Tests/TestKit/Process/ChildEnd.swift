import Foundation
import Synchronization

/// Waits for a child on a thread of its own, so that its end can be awaited with a limit.
final class ChildEnd: @unchecked Sendable {
  // Everything is touched under the condition only.
  private let condition = NSCondition()
  private var code: Int32?

  /// How many children of this process have crashed so far.
  static let crashes = Atomic(0)
  private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  init(of identifier: Int32) {
    let thread = Thread { [self] in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      if Self.crashSignals.contains(signal) { Self.crashes.add(1, ordering: .releasing) }
      condition.withLock {
        code = signal == 0 ? (status >> 8) & 0xff : -signal
        condition.broadcast()
      }
    }
    thread.start()
  }

  /// The exit code, minus the signal's number if one ended the child; nil if it still runs after `seconds`.
  func wait(seconds: Double) -> Int32? {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while code == nil { if !condition.wait(until: limit) { break } }
      return code
    }
  }
}
