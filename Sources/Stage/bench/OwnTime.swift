import Glibc

/// The processor time of a thread, for each period.
struct OwnTime {
  /// The thread's processor time so far, in nanoseconds.
  var nanoseconds: () -> UInt64
  /// Number of periods so far.
  var periods: () -> UInt64

  /// Measures several threads during the same time, and returns the microseconds for each period, in the order of the threads.
  ///
  /// - Parameters:
  ///   - count: length of the measurement in periods of the first thread.
  ///   - meanwhile: called repeatedly until the end; it must sleep for a while.
  static func measure(
    _ threads: [OwnTime], periods count: UInt64, meanwhile: () -> Void = { usleep(2_000) }
  ) -> [Double] {
    let begin = threads.map { ($0.nanoseconds(), $0.periods()) }
    while threads[0].periods() < begin[0].1 + count { meanwhile() }
    return zip(threads, begin).map { thread, begin in
      let (time, periods) = (thread.nanoseconds() - begin.0, thread.periods() - begin.1)
      return Double(time) / Double(max(1, periods)) / 1_000
    }
  }
}

extension BareClient {
  var ownTime: OwnTime { OwnTime(nanoseconds: { self.nanoseconds }, periods: { self.periods }) }
}
