/// A command as data, from which parsing, help, errors and the reference are made.
public struct CommandDescription: Sendable {
  public let name: CommandName
  public let group: Group
  public let positionals: [Positional]
  public let flags: [Flag]
  /// One sentence without a full stop, beginning with a verb: `runs the router until stopped`.
  public let summary: String
  /// Details, one paragraph each.
  public let details: [String]
  public let examples: [Example]
  /// The exit codes other than success and usage.
  public let exitCodes: [ExitCode]

  /// The groups of commands, in the order of the help.
  public enum Group: String, CaseIterable, Sendable {
    case router = "The router"
    case presets = "Presets"
    case music = "Music"
    case control = "Controlling a running router"
    case program = "About this program"
  }

  /// A command line and what it does.
  public struct Example: Sendable {
    public let line: String
    public let meaning: String

    init(_ line: String, _ meaning: String) { (self.line, self.meaning) = (line, meaning) }
  }

  init(
    _ name: CommandName, _ group: Group, _ positionals: [Positional] = [], flags: [Flag] = [],
    exitCodes: [ExitCode] = [], _ summary: String, details: [String] = [], examples: [Example] = []
  ) {
    (self.name, self.group, self.positionals, self.flags) = (name, group, positionals, flags)
    (self.exitCodes, self.summary, self.details, self.examples) = (exitCodes, summary, details, examples)
  }

  /// The whole call, such as `multiroute run [PRESET] [--server NAME]`.
  var usage: [String] {
    let required = flags.filter(\.isRequired).map { $0.isRepeatable ? "\($0.usage)..." : $0.usage }
    let optional = flags.filter { !$0.isRequired }.map {
      $0.isRepeatable ? "[\($0.usage)]..." : "[\($0.usage)]"
    }
    return ["multiroute \(name.rawValue)"] + positionals.map(\.usage) + required + optional
  }
}
