import SessionModel

/// Counts the overruns that the server tells of by the causes of the flight records. It has no clock of its own.
///
/// The server's notice may come before the flight record of the same moment or after it. Without a record the router was neither late nor slow,
/// so the overrun is the server's.
struct XrunCauses {
  private(set) var counts: [GlitchCause: Int] = [:]
  /// Overruns that wait for a cause, and when the first of them was told.
  private var waiting: (number: Int, since: Double) = (0, 0)
  /// The last conclusion.
  private var last: (cause: GlitchCause, time: Double)?

  /// Seconds between a notice and the flight record of the same moment, at most.
  private static let patience = 1.0

  /// Notes an overrun.
  mutating func note(at time: Double) {
    if let last, time - last.time < Self.patience / 2 { return counts[last.cause, default: 0] += 1 }
    if waiting.number == 0 { waiting.since = time }
    waiting.number += 1
  }

  /// Notes the cause of a flight record.
  mutating func conclude(_ cause: GlitchCause, at time: Double) {
    last = (cause, time)
    settle(as: cause)
  }

  /// Counts the overruns for which no flight record has come.
  mutating func settle(at time: Double) {
    if time - waiting.since >= Self.patience { settle(as: .server) }
  }

  /// Notes that the server is gone.
  mutating func end() {
    settle(as: .server)
    last = nil
  }

  private mutating func settle(as cause: GlitchCause) {
    guard waiting.number > 0 else { return }
    counts[cause, default: 0] += waiting.number
    waiting.number = 0
  }
}
