import Synchronization
import Threads

/// Writes lines on a thread of its own, for threads that must not wait for a disk, a pipe or a terminal.
///
/// A limited number of bytes may wait. When the limit is reached, lines are dropped and counted until half of
/// the waiting bytes are written; then the count is written.
public final class LineWriter: Sendable {
  /// An entry to write.
  public enum Entry: Equatable, Sendable {
    /// A whole line, without its line end.
    case line(String)
    /// The number of lines that were dropped at this point.
    case dropped(Int)
  }

  private final class Shared: Sendable {
    let queue: Mutex<LineQueue>
    /// The start of the present write (`MonotonicTime`, in seconds); nil while there is none.
    let writingSince = Mutex<Double?>(nil)
    init(room: Int) { queue = Mutex(LineQueue(room: room)) }
  }

  private let shared: Shared
  private let thread: WriterThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the thread's name in `top -H`, at most 15 bytes.
  ///   - room: the most bytes of lines that may wait.
  ///   - write: writes an entry; may wait without a limit. Called on the thread.
  public init(name: String, room: Int = 1 << 20, write: @escaping @Sendable (Entry) -> Void) {
    let shared = Shared(room: room)
    self.shared = shared
    thread = WriterThread(name: name) {
      guard let entry = shared.queue.withLock({ $0.next() }) else { return false }
      shared.writingSince.withLock { $0 = MonotonicTime.now }
      write(entry)
      shared.writingSince.withLock { $0 = nil }
      return true
    }
  }

  /// Adds a line, given without its line end. Any thread; never waits.
  ///
  /// - Returns: false if the line is dropped.
  @discardableResult
  public func post(_ line: String) -> Bool {
    let (wasEmpty, isTaken) = shared.queue.withLock { ($0.isEmpty, $0.add(line)) }
    if wasEmpty { thread.announceWork() }
    return isTaken
  }

  /// Seconds that the present write has taken so far; 0 while there is none. Any thread; never waits.
  public var secondsInWrite: Double {
    shared.writingSince.withLock { $0 }.map { MonotonicTime.now - $0 } ?? 0
  }

  /// Refuses further lines, writes the waiting ones, and waits for that at most so many seconds. Then the
  /// thread is abandoned.
  ///
  /// It may be called again, but by one thread at a time only.
  /// - Returns: whether everything was written.
  @discardableResult
  public func finish(within seconds: Double) -> Bool {
    shared.queue.withLock { $0.close() }
    return thread.finish(within: seconds)
  }
}
