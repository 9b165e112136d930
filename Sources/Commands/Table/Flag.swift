/// A named option of a command, as data: what it takes, what holds without it, and what it means.
public struct Flag: Hashable, Sendable {
  /// With its dashes, such as `--server`.
  public let name: String
  /// What belongs behind it; nil for one that is simply there or not.
  public let value: FlagValue?
  /// Whether each further one adds a value; otherwise the last one holds.
  public let isRepeatable: Bool
  /// Whether the command needs at least one.
  public let isRequired: Bool
  /// What holds without it, for people; nil where nothing does.
  public let defaultText: String?
  /// One sentence for the reference.
  public let summary: String
  /// Set when this version does not do it yet.
  public let later: Later?

  /// What a flag of a later version already accepts.
  public enum Later: Hashable, Sendable {
    case nothing
    /// The value that asks for nothing.
    case onlyValue(String)
  }

  init(
    _ name: String, _ value: FlagValue?, isRepeatable: Bool = false, isRequired: Bool = false,
    default defaultText: String? = nil, later: Later? = nil, _ summary: String
  ) {
    (self.name, self.value, self.isRepeatable) = (name, value, isRepeatable)
    (self.isRequired, self.defaultText, self.later, self.summary) = (isRequired, defaultText, later, summary)
  }

  /// As in a usage line: `--osc HOST:PORT`.
  var usage: String { value.map { "\(name) \($0.placeholder)" } ?? name }
}
