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
    setup, complete, help,
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
    flags: [.markdown, .man], exitCodes: [.unreadableFile], "explains a command")

  static let complete = CommandDescription(
    .complete, .program,
    [
      Positional(
        "WORD", .any, "The words behind `multiroute` so far; the last one, perhaps empty, is completed.")
    ],
    "prints what may follow on a command line, for the shells",
    details: [
      "Addresses and ids are those of the running router, which must answer within 0.3 s. Put -- before the words."
    ],
    examples: [.init("multiroute complete -- run us", "prints usb-and-headphones")])

  static let setup = CommandDescription(
    .setup, .program, flags: [.yes, .undo, .guest, .oscPort, .pagePort],
    exitCodes: [.failure, .unreadableFile, .denied],
    "prepares this machine: checks rights, server and cards, lets a tablet in, and starts the router at login",
    details: [
      "Shows what stands in the way and what mends it, as doctor does. Asks before it writes ~/.config/multiroute/config.json and enables the unit multiroute.service. An existing configuration stays as it is.",
      "--undo takes back what it did, but not a configuration that was edited since.",
    ],
    examples: [
      .init("multiroute setup", "asks"),
      .init("multiroute setup --yes --guest 192.168.1.20", "for a script"),
    ])
}
