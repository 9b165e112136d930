/// How the log is written on standard error.
public enum LogFormat: String, CaseIterable, Sendable {
  /// A sentence for people, with the time of day.
  case text
  /// An object for programs.
  case json
}
