import Foundation

/// A named pipe to which scripts write numbers, such as their process numbers.
public final class NumberPipe {
  /// The reason why a pipe was not made, or why no number came.
  public struct Failure: Error {}

  private let descriptor: Int32
  private var rest: [UInt8] = []

  /// Makes the pipe at a path.
  /// - Throws: `Failure` if the system cannot make it.
  public init(_ path: String) throws {
    // Open for reading and writing, so that no script waits until the test reads.
    guard mkfifo(path, 0o600) == 0, case let opened = open(path, O_RDWR | O_CLOEXEC), opened >= 0 else {
      throw Failure()
    }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Waits for the next number.
  /// - Throws: `Failure` if no number comes within ten seconds.
  public func next() throws -> Int32 {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        guard let number = Int32(String(decoding: rest[..<end], as: UTF8.self)) else { throw Failure() }
        return number
      }
      var (wait, chunk) = (
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), [UInt8](repeating: 0, count: 64)
      )
      guard poll(&wait, 1, 10_000) == 1 else { throw Failure() }
      rest += chunk[..<max(0, read(descriptor, &chunk, chunk.count))]
    }
  }
}
