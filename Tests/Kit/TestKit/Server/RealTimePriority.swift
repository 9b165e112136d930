import Glibc
import Synchronization
import Threads

/// Real-time priority. Without it, a server on a busy machine skips frames.
public enum RealTimePriority {
  /// The scheduling of the tests' servers: real-time priority, or ordinary where the system refuses. The run
  /// then reports that.
  static let isGranted: Bool = {
    guard let reason = refusal(of: 70) else { return true }
    TestNotes.remark(
      "servers run without real-time priority, since the system refuses it: \(reason) (see `ulimit -r`)")
    return false
  }()

  /// The reason why the system refuses a priority to this user's threads; nil if it grants the priority.
  public static func refusal(of priority: Int32) -> String? {
    let answer = Answer()
    // On a thread of its own, so that no test thread keeps the priority.
    OwnThread("priority") {
      var parameter = sched_param(sched_priority: priority)
      let isGranted = sched_setscheduler(0, SCHED_FIFO, &parameter) == 0
      answer.code.store(isGranted ? 0 : errno, ordering: .releasing)
    }.join()
    let code = answer.code.load(ordering: .acquiring)
    return code == 0 ? nil : String(cString: strerror(code))
  }

  /// The system's error number; 0 for none.
  private final class Answer: Sendable {
    let code = Atomic<Int32>(0)
  }
}
