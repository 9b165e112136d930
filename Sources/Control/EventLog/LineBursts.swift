/// Limits the lines about events of one kind: what comes too often is counted, and one line says how many are missing. A client that turns a
/// switch a thousand times a second must not fill the journal.
///
/// Lines of the level debug are not limited: a person that asks for them wants all.
struct LineBursts {
  private var bursts: [Kind: Burst] = [:]

  private struct Kind: Hashable {
    let event: String
    let level: LogLevel
  }

  private struct Burst {
    let start: Double
    var told = 1
    var missed = 0
  }

  /// Seconds for which the lines of a burst are counted.
  static let length = 10.0
  /// Lines of one kind that are told in that time.
  static let limit = 100

  /// When `take` must be called next, in seconds of the router's time; nil if every line was told.
  var nextDue: Double? {
    bursts.values.lazy.filter { $0.missed > 0 }.map { $0.start + Self.length }.min()
  }

  /// Whether a line is told now.
  mutating func admits(_ line: LogLine, at time: Double) -> Bool {
    guard line.level < .debug, let event = line.event else { return true }
    let kind = Kind(event: event, level: line.level)
    // A burst that is over stays until its missing lines are told.
    guard let burst = bursts[kind], burst.missed > 0 || time < burst.start + Self.length else {
      bursts[kind] = Burst(start: time)
      return true
    }
    guard burst.told < Self.limit else {
      bursts[kind]!.missed += 1
      return false
    }
    bursts[kind]!.told += 1
    return true
  }

  /// Takes a line about each kind of which lines are missing, once its time is over.
  mutating func take(at time: Double) -> [LogLine] {
    let over = bursts.filter { $0.value.missed > 0 && $0.value.start + Self.length <= time }
    for kind in over.keys { bursts[kind] = nil }
    return over.sorted { ($0.key.event, $0.key.level) < ($1.key.event, $1.key.level) }.map { kind, burst in
      LogLine(
        kind.level,
        "\(burst.missed) more lines about \(kind.event) are missing here: more than \(Self.limit) came in \(Int(Self.length)) s",
        event: kind.event)
    }
  }
}
