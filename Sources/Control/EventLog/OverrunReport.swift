import Numbers

/// Xruns as one line a burst: `12 overruns in 4 s, 294 since start; worst 3.1 ms`.
struct OverrunReport {
  private var burst: Burst?
  private var lastReport = -Double.infinity

  private struct Burst {
    let first: Double
    var last: Double
    var count = 0
    var total = 0
    var worst = 0.0
  }

  /// Seconds without an xrun that end a burst.
  private static let quiet = 2.0
  /// Seconds after which a burst that goes on is reported.
  private static let longest = 60.0
  /// Seconds from one line to the next: at most 24 lines an hour.
  private static let pause = 150.0

  /// When `take` must be called next, in seconds of the router's time; nil if there was no xrun.
  var nextDue: Double? {
    burst.map { max(min($0.last + Self.quiet, $0.first + Self.longest), lastReport + Self.pause) }
  }

  /// Notes an xrun.
  ///
  /// - Parameters:
  ///   - total: the number of xruns since the start.
  ///   - delay: how late the server was, in seconds.
  mutating func note(total: Int, delay: Double, at time: Double) {
    var burst = burst ?? Burst(first: time, last: time)
    (burst.last, burst.total, burst.worst) = (time, total, max(burst.worst, delay))
    burst.count += 1
    self.burst = burst
  }

  /// The line about a burst that is over; nil if there is none.
  mutating func take(at time: Double) -> String? {
    guard let burst, let due = nextDue, due <= time else { return nil }
    (self.burst, lastReport) = (nil, time)
    let seconds = max(1, Int((burst.last - burst.first).rounded()))
    let worst = burst.worst > 0 ? "; worst \((burst.worst * 1_000).text(.upTo(1))) ms" : ""
    let noun = burst.count == 1 ? "overrun" : "overruns in \(seconds) s"
    return "\(burst.count) \(noun), \(burst.total) since start\(worst)"
  }
}
