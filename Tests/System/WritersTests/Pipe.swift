import Glibc

/// A pipe whose ends are closed when the test ends.
final class Pipe {
  struct Failure: Error {}

  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure() }
    (reading, writing) = (ends[0], ends[1])
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { drop() }

  /// Closes both ends; a write that waits fails.
  func drop() {
    if reading >= 0 { close(reading) }
    if writing >= 0 { close(writing) }
    (reading, writing) = (-1, -1)
  }
}
