import JSON5
public import ServiceManager

/// A line of the log: a sentence for people, and for programs its level and what it is about.
public struct LogLine: Equatable, Sendable {
  public var level: LogLevel
  public var sentence: String
  /// The address of the event, such as `/event/session`; nil if no event is told.
  public var event: String?
  /// What the line is about.
  public var subjects: [Subject]

  /// A thing that has an id.
  public struct Subject: Equatable, Sendable {
    public var kind: Kind
    public var id: String

    init(_ kind: Kind, _ id: some CustomStringConvertible) { (self.kind, self.id) = (kind, "\(id)") }

    /// The kinds, as programs read them: a key of JSON, and in capitals the end of a field of the journal.
    public enum Kind: String, CaseIterable, Sendable {
      case session, player, recorder, output, input, preset
      /// The rule of an alarm.
      case rule
      /// What interrupts a session: another one, a source of interruptions or a port.
      case by
      /// The client whose command caused the event.
      case client
      /// The address of a setting.
      case set
    }
  }

  public init(_ level: LogLevel, _ sentence: String, event: String? = nil, subjects: [Subject] = []) {
    (self.level, self.sentence, self.event, self.subjects) = (level, sentence, event, subjects)
  }

  /// The line as JSON: `{"time": "...", "level": "info", "event": "/event/session", "session": "show", "sentence": "..."}`.
  public func json(at time: String) -> String {
    JSONLine.text(
      [("time", .string(time)), ("level", .string(level.rawValue))]
        + (event.map { [("event", .string($0))] } ?? [])
        + subjects.map { ($0.kind.rawValue, .string($0.id)) } + [("sentence", .string(sentence))])
  }

  /// The line as an entry of systemd's journal, which adds the time.
  public var journalEntry: JournalEntry {
    let fields =
      (event.map { [("MULTIROUTE_EVENT", $0)] } ?? [])
      + subjects.map { ("MULTIROUTE_\($0.kind.rawValue.uppercased())", $0.id) }
    return JournalEntry(sentence, level.priority, program: "multiroute", fields: fields)
  }
}

extension LogLevel {
  fileprivate var priority: JournalEntry.Priority {
    switch self {
    case .error: .error
    case .warning: .warning
    case .info: .info
    case .debug: .debug
    }
  }
}
