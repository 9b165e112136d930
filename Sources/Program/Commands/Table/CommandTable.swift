/// The one table of all commands, in the order of the help.
public enum CommandTable {
  /// Every command.
  public static let commands: [CommandDescription] = [
    run, demo, render, check, presets, library, record, recall, go, token, layout, send, get, watch, console,
    events,
    status, why,
    ports, top,
    doctor, metrics,
    reload, find,
    help,
  ]

  /// The description of a command.
  public static func description(of name: CommandName) -> CommandDescription {
    commands.first { $0.name == name }!
  }

  static let presetName =
    "A path with / or .json, otherwise the id of a preset."

  static let clientFlags: [Flag] = [.to, .timeout]

  static let help = CommandDescription(
    .help, .program, [Positional("COMMAND", .optional, "A command; by default all of them.")],
    flags: [.markdown], "explains a command")
}
