import SystemCalls

/// Which events a person wants to see.
struct EventFilter {
  /// Seconds since 1970 from which events count; nil for all.
  var since: Double?
  var session: String?
  /// The kind of an event, the key of a report, or the rule of an alarm, in small letters.
  var kind: String?

  init() {}

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    session = arguments.text(.ofSession)
    kind = arguments.text(.ofKind)?.lowercased()
    since = try arguments.text(.since).map { (text) throws(CommandFailure) in
      guard let time = EventTime.seconds(text, now: System.realtime()) else {
        throw CommandFailure(
          .usage,
          "multiroute: '\(text)' is not a time; write 90s, 10m, 2h, 19:30, 19:30:05 or 2026-11-22T19:30:05Z")
      }
      return time
    }
  }

  /// Whether a line is wanted.
  func admits(_ line: EventLine) -> Bool {
    if let since, line.time.map({ $0 < since }) ?? true { return false }
    if let session, line.session != session { return false }
    if let kind, line.kind.lowercased() != kind, line.key?.lowercased() != kind { return false }
    return true
  }
}
