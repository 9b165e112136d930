import CPlugins
import CRealtime
import EffectBlocks
import Synchronization
import Threads

/// The thread that does the work which plugins put off. It has no real-time priority.
///
/// Any thread may call its functions but the sound thread, which only rings the bell.
final class PluginWorker: Sendable {
  let bell = PacedThread.Bell()
  private let thread: PacedThread
  private let work: Work

  private final class Work: Sendable {
    let jobs = Mutex<[PluginJobs]>([])
    let isKnown = Atomic<Bool>(false)
  }

  init(_ exchange: EffectExchange) {
    let work = Work()
    self.work = work
    thread = PacedThread(name: "fx-work", bell: bell) {
      if !work.isKnown.exchange(true, ordering: .relaxed) {
        mr_denormals_off()
        exchange.introduce(.worker, number: Int(mr_crash_thread()))
      }
      // The list is locked meanwhile, so that no plugin is freed that works.
      work.jobs.withLock { jobs in
        for job in jobs {
          exchange.begin(job.place, on: .worker)
          job.work()
          exchange.end(on: .worker)
        }
      }
      return .woken
    }
  }

  func add(_ jobs: PluginJobs) {
    work.jobs.withLock { $0.append(jobs) }
    bell.ring()
  }

  /// Forgets jobs; waits for the work that is under way.
  func remove(_ jobs: PluginJobs) { work.jobs.withLock { $0.removeAll { $0 === jobs } } }
}
