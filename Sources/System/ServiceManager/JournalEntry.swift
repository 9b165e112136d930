/// An entry of the journal: a message and its fields.
public struct JournalEntry: Equatable, Sendable {
  /// The severities of syslog(3) that are used.
  public enum Priority: Int, Sendable { case error = 3, warning = 4, info = 6, debug = 7 }

  /// The entry as the journal receives it: a line `NAME=value` for each field. The first is the message, the second the priority.
  public let text: String

  /// - Parameters:
  ///   - fields: each with a name of capital letters, digits and underscores. Ends of lines in values become blanks.
  public init(
    _ message: String, _ priority: Priority, program: String, fields: [(name: String, value: String)] = []
  ) {
    let all =
      [("MESSAGE", message), ("PRIORITY", "\(priority.rawValue)"), ("SYSLOG_IDENTIFIER", program)] + fields
    text = all.map { "\($0)=\(Self.oneLine($1))\n" }.joined()
  }

  /// An entry that was made earlier.
  public init(text: String) { self.text = text }

  /// The entry as a line of standard error that has led to the journal, or to a terminal: `<6>message` (sd-daemon(3)).
  public var plainLine: String {
    let lines = text.split(separator: "\n", maxSplits: 2)
    func value(_ index: Int) -> Substring {
      index < lines.count ? lines[index].drop { $0 != "=" }.dropFirst() : ""
    }
    return "<\(value(1))>\(value(0))"
  }

  private static func oneLine(_ value: String) -> String {
    String(value.map { $0.isNewline ? " " : $0 })
  }
}
