import Synchronization

/// Writes the newest value on a thread of its own. A new value replaces one that still waits.
///
/// For files that are always written as a whole, such as the kept state.
public final class LatestWriter<Value: Sendable>: Sendable {
  private final class Shared: Sendable {
    let waiting = Mutex<Value?>(nil)
  }

  private let shared = Shared()
  private let thread: WriterThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the thread's name in `top -H`, at most 15 bytes.
  ///   - write: writes a value; may wait without a limit. Called on the thread.
  public init(name: String, write: @escaping @Sendable (Value) -> Void) {
    thread = WriterThread(name: name) { [shared] in
      guard let value = shared.waiting.withLock({ $0.take() }) else { return false }
      write(value)
      return true
    }
  }

  /// Writes a value soon, in place of one that still waits. Any thread; never waits.
  public func post(_ value: Value) {
    shared.waiting.withLock { $0 = value }
    thread.announceWork()
  }

  /// Writes the waiting value, and waits for that at most so many seconds. Then a thread that still waits is
  /// abandoned.
  ///
  /// It may be called again, but by one thread at a time only.
  /// - Returns: whether everything was written.
  @discardableResult
  public func finish(within seconds: Double) -> Bool { thread.finish(within: seconds) }
}
