import NSM
import Synchronization
import Threads

/// News of the session manager, until the thread that acts on them takes them. Any thread may call.
final class SessionNews: Sendable {
  private let waiting = Mutex<[NSMLink.News]>([])
  private let bell = Semaphore()

  func add(_ news: NSMLink.News) {
    waiting.withLock { $0.append(news) }
    bell.signal()
  }

  /// Ends the wait of `next`.
  func ring() { bell.signal() }

  /// Waits for news, at most some seconds; nil if there are none, also after `ring`.
  func next(within seconds: Double?) -> NSMLink.News? {
    if let seconds { _ = bell.wait(seconds: seconds) } else { bell.wait() }
    return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
