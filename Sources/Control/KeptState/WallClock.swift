import SystemCalls

/// The time of day, for the user who reads a kept state.
enum WallClock {
  /// Now in UTC, as `2026-11-22T20:04:05Z` (ISO 8601).
  static var now: String { text(of: System.time()) }

  /// Seconds since 1970 in ISO 8601.
  static func text(of seconds: Int) -> String { System.gmtime(seconds) }
}
