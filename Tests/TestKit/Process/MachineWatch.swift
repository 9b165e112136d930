import CRealtime
import Glibc
import Synchronization
import Threads

/// Notices when the machine leaves a processor without time, as the host of a virtual one does for many milliseconds.
///
/// As many threads as there are processors, above all others where the system allows that, wake up every millisecond and look
/// how late they are.
public final class MachineWatch: Sendable {
  public static let shared = MachineWatch()

  /// Lateness that counts, in nanoseconds: of a period of 256 frames at 48 kHz it leaves too little.
  private static let limit: UInt64 = 2_500_000
  private static let interval = 1_000_000

  private let count = Atomic<Int>(0)

  /// How often a processor stood still so far.
  public var stalls: Int { count.load(ordering: .acquiring) }

  private init() {
    for _ in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
      OwnThread("machine-watch") { self.run() }.detach()
    }
  }

  private func run() {
    var priority = sched_param(sched_priority: 90)
    sched_setscheduler(0, SCHED_FIFO, &priority)
    while true {
      let start = mr_monotonic_nanoseconds()
      var time = timespec(tv_sec: 0, tv_nsec: Self.interval)
      nanosleep(&time, nil)
      let late = mr_monotonic_nanoseconds() - start - UInt64(Self.interval)
      if late > Self.limit { count.add(1, ordering: .releasing) }
    }
  }
}
