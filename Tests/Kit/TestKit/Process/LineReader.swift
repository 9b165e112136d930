import Foundation
import Processes

/// The lines of one of a child's streams. A thread of its own reads them, so that the child never blocks on a
/// full stream.
public final class LineReader: @unchecked Sendable {
  // All properties are protected by the condition.
  private let condition = NSCondition()
  private var lines: [String] = []
  private var next = 0
  private var hasEnded = false
  private var isPaused = false

  /// - Parameters:
  ///   - child: kept alive until the stream has ended.
  ///   - descriptor: our end of the stream.
  init(_ child: Child, _ descriptor: Int32) {
    let thread = Thread { [self] in
      var lines = LineStream(descriptor)
      while let line = lines.next() {
        waitWhilePaused()
        add(line)
      }
      withExtendedLifetime(child) {}
      condition.withLock {
        hasEnded = true
        condition.broadcast()
      }
    }
    thread.start()
  }

  private func waitWhilePaused() { condition.withLock { while isPaused { condition.wait() } } }

  /// Stops reading until `goOn`, so that the child's stream fills.
  public func pause() { condition.withLock { isPaused = true } }

  /// Continues reading.
  public func goOn() {
    condition.withLock {
      isPaused = false
      condition.broadcast()
    }
  }

  private func add(_ line: String) {
    condition.withLock {
      lines.append(line)
      condition.broadcast()
    }
  }

  /// Waits for the next line; nil at the end of the stream or after `seconds`.
  public func line(seconds: Double = 10) -> String? {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while next == lines.count {
        if hasEnded || !condition.wait(until: limit) { return nil }
      }
      next += 1
      return lines[next - 1]
    }
  }

  /// Waits for the next line that contains a text, and skips the lines before it; nil as in `line`.
  public func line(containing text: String, seconds: Double = 10) -> String? {
    let limit = Date(timeIntervalSinceNow: seconds)
    while let line = line(seconds: max(0, limit.timeIntervalSinceNow)) {
      if line.contains(text) { return line }
    }
    return nil
  }

  /// All lines so far; after the end of the child, all lines.
  public var text: String { condition.withLock { lines.joined(separator: "\n") } }

  /// Waits for the end of the stream; false after `seconds`.
  public func waitForEnd(seconds: Double = 10) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while !hasEnded { if !condition.wait(until: limit) { return hasEnded } }
      return true
    }
  }
}
