import Synchronization
import Threads

/// The events of an object, in order, for tests that wait for them. Any thread may add and wait.
public final class AwaitedEvents<Event: Sendable>: Sendable {
  private let list = Mutex<[Event]>([])
  private let bell = Semaphore()

  public init() {}

  public func add(_ event: Event) {
    list.withLock { $0.append(event) }
    bell.signal()
  }

  public var all: [Event] { list.withLock { $0 } }

  public func count(_ isWanted: (Event) -> Bool) -> Int { all.filter(isWanted).count }

  /// Waits until there are so many wanted events; false after ten minutes.
  public func wait(_ number: Int = 1, _ isWanted: (Event) -> Bool) -> Bool {
    wait { count(isWanted) >= number ? true : nil } ?? false
  }

  /// Waits until something is so, and looks again after each event; false after ten minutes.
  public func wait(until isSo: () -> Bool) -> Bool { wait { isSo() ? true : nil } ?? false }

  /// Waits for the first wanted event, and returns what it tells; nil after ten minutes.
  public func first<Value>(_ wanted: (Event) -> Value?) -> Value? {
    wait { all.lazy.compactMap(wanted).first }
  }

  private func wait<Value>(for result: () -> Value?) -> Value? {
    // An object whose thread has the lowest priority may get no processor for minutes.
    let end = MonotonicTime.now + 600
    while true {
      if let value = result() { return value }
      guard bell.wait(seconds: end - MonotonicTime.now) else { return result() }
    }
  }
}
