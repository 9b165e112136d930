/// A named option of a command, as data: its value, its default and its meaning.
public struct Flag: Hashable, Sendable {
  /// The name with its dashes, such as `--server`.
  public let name: String
  /// The kind of its value; nil for a switch without a value.
  public let value: FlagValue?
  /// Whether each use adds a value; otherwise the last use counts.
  public let isRepeatable: Bool
  /// Whether the command requires the flag.
  public let isRequired: Bool
  /// The default, in words; nil if there is none.
  public let defaultText: String?
  /// One sentence for the reference.
  public let summary: String

  init(
    _ name: String, _ value: FlagValue?, isRepeatable: Bool = false, isRequired: Bool = false,
    default defaultText: String? = nil, _ summary: String
  ) {
    (self.name, self.value, self.isRepeatable) = (name, value, isRepeatable)
    (self.isRequired, self.defaultText, self.summary) = (isRequired, defaultText, summary)
  }

  /// The flag as a usage line shows it: `--osc HOST:PORT`.
  var usage: String { value.map { "\(name) \($0.placeholder)" } ?? name }
}
