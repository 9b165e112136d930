import CRealtime
import Glibc

extension System {
  /// Sleeps for at least so many seconds.
  public static func sleep(seconds: Double) {
    var (time, rest) = (timespec(seconds: max(0, seconds)), timespec())
    while Glibc.nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }

  /// Seconds since the start of 1970 (UTC).
  public static func time() -> Int { Glibc.time(nil) }

  /// Seconds since 1970 as a date and time in UTC: `2026-11-22T20:04:05Z` (ISO 8601).
  public static func gmtime(_ seconds: Int) -> String {
    var (seconds, parts) = (seconds, tm())
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// Seconds since 1970 at the beginning of a day in UTC; nil if there is no such day.
  public static func timegm(year: Int, month: Int, day: Int) -> Int? {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    let seconds = Glibc.timegm(&parts)
    // The system turns the 31st of February into a day of March.
    return parts.tm_mday == Int32(day) ? seconds : nil
  }

  /// The local time of day: `20:04:05`.
  public static func localTime() -> String { localtime(time()).time }

  /// Seconds since the start of 1970 (UTC), with their fraction. The clock jumps when the time of day is set.
  public static func realtime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Seconds since 1970 as the local day, `2026-11-22`, the local time of day, `20:04:05`, and its seconds since midnight.
  public static func localtime(_ seconds: Int) -> (day: String, time: String, sinceMidnight: Int) {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (
      "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))",
      "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))",
      Int(parts.tm_hour) * 3_600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec)
    )
  }

  /// Seconds of the monotonic clock, which does not jump when the time of day is set.
  public static func monotonic() -> Double { Double(mr_monotonic_nanoseconds()) * 1e-9 }

  static var monotonicMilliseconds: UInt64 { mr_monotonic_nanoseconds() / 1_000_000 }
}

extension timespec {
  init(seconds: Double) {
    let whole = seconds.rounded(.down)
    self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1e9)))
  }
}
