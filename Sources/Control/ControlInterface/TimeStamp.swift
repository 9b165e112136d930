import SystemCalls

/// When something happened: the time of day, by which people find it, and the monotonic time, which does not jump.
public struct TimeStamp: Equatable, Sendable {
  /// Seconds since the start of 1970 (UTC).
  public var day: Double
  /// Seconds of the system's monotonic clock.
  public var monotonic: Double

  public init(day: Double, monotonic: Double) { (self.day, self.monotonic) = (day, monotonic) }

  /// The present time.
  public static var now: TimeStamp { TimeStamp(day: System.realtime(), monotonic: System.monotonic()) }

  /// The time of day in UTC with milliseconds, in ISO 8601: `2026-11-22T20:04:05.123Z`.
  public var text: String {
    let milliseconds = Int((day * 1_000).rounded(.down))
    let rest = "\(1_000 + milliseconds % 1_000)".dropFirst()
    return "\(System.gmtime(milliseconds / 1_000).dropLast()).\(rest)Z"
  }
}
