import Glibc

/// A thread whose processor time for each period is measured.
struct OwnTime {
  /// Processor time so far, in nanoseconds.
  var nanoseconds: () -> UInt64
  /// Periods so far.
  var periods: () -> UInt64

  /// Measures several threads over the same stretch of time; microseconds for each period, in their order.
  ///
  /// - Parameters:
  ///   - count: periods, as the first one counts them.
  ///   - meanwhile: is called again and again until then; it sleeps.
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
