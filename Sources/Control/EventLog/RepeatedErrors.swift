import ControlInterface
import JSON5
import Parameters
import SessionModel

/// Limits the errors that are reported: one line a second for each code of each client, then one line with the number of the others. A
/// client that fails a thousand times a second must not fill the disk. An error of the router itself hides only those at the same address.
struct RepeatedErrors {
  private var kinds: [Kind: Second] = [:]

  struct Kind: Hashable {
    let client: Int
    let code: ErrorCode
    /// The address of an error of the router itself; empty for a client's.
    let address: String
  }

  private struct Second {
    let start: Double
    var level: LogLevel
    var missed = 0
  }

  /// Errors that were not reported.
  struct Missed {
    let kind: Kind
    let level: LogLevel
    let count: Int

    private var place: String {
      kind.client != 0 ? " of client \(kind.client)" : kind.address.isEmpty ? "" : " at \(kind.address)"
    }

    var sentence: String {
      "\(count) more errors \(kind.code.symbol) (\(kind.code.rawValue))\(place) within a second"
    }

    /// `{"time": "...", "event": "/event/error", "client": 2, "code": 4, "missed": 99}`.
    func json(at stamp: TimeStamp) -> String {
      JSONLine.text(
        stamp.members + [
          ("event", .string("/event/error")), ("client", .number(Double(kind.client))),
          ("code", .number(Double(kind.code.rawValue))), ("missed", .number(Double(count))),
          ("text", .string(sentence)),
        ])
    }
  }

  /// When `take` must be called next, in seconds of the router's time; nil if every error was reported.
  var nextDue: Double? { kinds.values.lazy.filter { $0.missed > 0 }.map { $0.start + 1 }.min() }

  /// Whether an error is reported now.
  mutating func admits(_ kind: Kind, _ level: LogLevel, at time: Double) -> Bool {
    if let second = kinds[kind], time < second.start + 1 || second.missed > 0 {
      kinds[kind]!.missed += 1
      kinds[kind]!.level = min(level, second.level)
      return false
    }
    kinds = kinds.filter { time < $0.value.start + 1 || $0.value.missed > 0 }
    kinds[kind] = Second(start: time, level: level)
    return true
  }

  /// Takes the numbers of errors that were not reported in the seconds that are over.
  mutating func take(at time: Double) -> [Missed] {
    let over = kinds.filter { $0.value.missed > 0 && $0.value.start + 1 <= time }
    for kind in over.keys { kinds[kind] = nil }
    return over.map { Missed(kind: $0, level: $1.level, count: $1.missed) }
      .sorted {
        ($0.kind.client, $0.kind.code.rawValue, $0.kind.address)
          < ($1.kind.client, $1.kind.code.rawValue, $1.kind.address)
      }
  }
}
