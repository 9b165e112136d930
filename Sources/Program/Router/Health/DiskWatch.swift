import Health
import Synchronization
import SystemCalls
import Threads

/// Looks every few seconds how much room a folder's disk has, on a thread of its own, because a disk may not answer.
final class DiskWatch: Sendable {
  private let found = Mutex<HealthFacts.Disk?>(nil)
  private let end = Semaphore()
  private let thread = Mutex<OwnThread?>(nil)
  private let folder: String

  /// Seconds between two looks.
  private static let pause = 5.0

  init(_ folder: String) { self.folder = folder }

  /// The disk as it was at the last look; nil before the first one. Any thread; never waits.
  var disk: HealthFacts.Disk? { found.withLock { $0 } }

  func start() {
    let thread = OwnThread("mr-disk") { [self] in
      repeat {
        let free = System.freeBytes(for: folder)
        found.withLock { [folder] in $0 = free.map { HealthFacts.Disk(folder: folder, free: $0) } }
      } while !end.wait(seconds: Self.pause)
    }
    self.thread.withLock { $0 = thread }
  }

  /// Lets the thread end by itself: its disk may hang.
  func stop() {
    end.signal()
    thread.withLock { $0.take() }?.detach()
  }
}
