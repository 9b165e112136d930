import Foundation

/// The lines that a child prints to one of its streams, read by a thread of its own so that the child never waits for us.
public final class LineReader: @unchecked Sendable {
  // Everything is touched under the condition only.
  private let condition = NSCondition()
  private var lines: [String] = []
  private var next = 0
  private var hasEnded = false

  init(_ handle: FileHandle) {
    let thread = Thread { [self] in
      var rest: [UInt8] = []
      while case let data = handle.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          add(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      if !rest.isEmpty { add(String(decoding: rest, as: UTF8.self)) }
      condition.withLock {
        hasEnded = true
        condition.broadcast()
      }
    }
    thread.start()
  }

  private func add(_ line: String) {
    condition.withLock {
      lines.append(line)
      condition.broadcast()
    }
  }

  /// Waits for the next line that was not yet returned; nil at the end of the stream or after `seconds`.
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

  /// Waits for the next line that contains a text and skips those before it; nil as with `line`.
  public func line(containing text: String, seconds: Double = 10) -> String? {
    let limit = Date(timeIntervalSinceNow: seconds)
    while let line = line(seconds: max(0, limit.timeIntervalSinceNow)) {
      if line.contains(text) { return line }
    }
    return nil
  }

  /// Everything printed so far; after the child has ended, everything.
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
