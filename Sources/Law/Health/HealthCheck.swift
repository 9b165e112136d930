import SessionModel

/// Finds out whether one condition of health holds. Each check is one row of `HealthWatch.checks`, in a file of its own in `Rules`.
protocol HealthCheck: Sendable {
  static var rule: HealthRule { get }

  init()

  /// What is wrong and what to do, in one sentence; nil while nothing is wrong. Called about once a second.
  mutating func sentence(_ view: HealthView) -> String?
}

/// What a check looks at.
struct HealthView {
  let state: RouterState
  let facts: HealthFacts
  /// Seconds of the router's time.
  let time: Double
}

/// Measures how long a condition has held without a break.
struct Stopwatch: Sendable {
  private var start: Double?

  /// Seconds for which the condition has held; 0 while it does not.
  mutating func seconds(_ holds: Bool, at time: Double) -> Double {
    start = holds ? start ?? time : nil
    return start.map { time - $0 } ?? 0
  }
}

/// Remembers when a count grew.
struct GrowthWatch: Sendable {
  private var last = 0
  private var grew: Double?

  /// Whether the count has grown within the last minute.
  mutating func hasGrown(_ count: Int, at time: Double) -> Bool {
    if count > last { grew = time }
    last = count
    return grew.map { time - $0 < 60 } ?? false
  }
}
