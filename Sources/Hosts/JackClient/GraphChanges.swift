import Synchronization

/// Tells whether a change of connections is under way.
///
/// jackd2 applies changes at the start of its next period. Until then libjack's reads of connections sleep for more than a period
/// (`JackGraphManager::IsPendingChange`), and nothing can interrupt them.
struct GraphChanges: ~Copyable {
  private let count = Atomic<Int>(0)
  /// The changes that the reader has seen, and the server's time of the period in which it first saw the last of them.
  private var (seen, period): (Int, UInt32) = (0, 0)

  /// Notes that this client or another one has made a change. Any thread.
  func note() { count.add(1, ordering: .releasing) }

  /// Whether the server has not started a period since the last change. Only one thread may ask.
  /// - Parameter time: the server's time of the first frame of the present period.
  mutating func areUnderWay(at time: UInt32) -> Bool {
    let count = count.load(ordering: .acquiring)
    if count != seen { (seen, period) = (count, time) }
    return count > 0 && period == time
  }
}
