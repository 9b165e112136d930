import Foundation
import Processes
import SystemCalls

/// Waits for a child on a thread of its own, so that a test can wait with a limit.
final class ChildEnd: @unchecked Sendable {
  // All properties are protected by the condition.
  private let condition = NSCondition()
  private var code: Int32?

  init(of child: Child) {
    let thread = Thread { [self] in
      let code: Int32
      switch child.wait() {
      case .killed(let signal)?: code = -signal.rawValue
      case .exited(let number)?: code = number
      case nil: code = 255
      }
      condition.withLock {
        self.code = code
        condition.broadcast()
      }
    }
    thread.start()
  }

  /// The exit code, or minus the number of the signal that ended the child; nil if it still runs after
  /// `seconds`.
  func wait(seconds: Double) -> Int32? {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while code == nil { if !condition.wait(until: limit) { break } }
      return code
    }
  }
}
