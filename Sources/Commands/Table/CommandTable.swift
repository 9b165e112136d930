/// The one table of all commands, in the order of the help.
public enum CommandTable {
  /// Every command.
  public static let commands: [CommandDescription] = [
    run, demo, render, check, presets, send, get, watch, status, ports, help,
  ]

  /// The description of a command.
  public static func description(of name: CommandName) -> CommandDescription {
    commands.first { $0.name == name }!
  }

  private static let presetName =
    "A path if it contains / or ends in .json, else the id of a preset in the folders of presets."

  private static let clientFlags: [Flag] = [.to, .timeout]

  private static let run = CommandDescription(
    .run, .router, [Positional("PRESET", .optional, presetName + " Without one no session exists.")],
    flags: [
      .server, .clientName, .osc, .http, .config, .presets, .media, .state, .startServer, .wait, .fresh,
      .watchPreset, .allowPeriodChange, .bridgePath, .log, .events,
    ],
    exitCodes: [.badPreset, .unreadableFile, .unavailable, .portInUse, .denied, .internalError],
    "runs the router until a signal",
    details: [
      "When the preset is in force, one line on standard error says so: multiroute: ready jack=NAME osc=HOST:PORT",
      """
      SIGINT (Ctrl-C) and SIGTERM fade out and leave JACK within a second; a second SIGINT ends at once; SIGHUP reads the \
      preset again.
      """,
      """
      After a clean stop the next run starts from the preset; after a crash of the same preset from the kept state, never \
      louder than stored.
      """,
    ],
    examples: [
      .init("multiroute run usb-and-headphones", "a preset that ships, on the JACK server that runs"),
      .init("multiroute run ./show.json --osc wlan0:9440", "one of your own, with OSC for a tablet"),
      .init("multiroute run --start-server --osc 127.0.0.1:0", "nothing prepared: to try things out"),
    ])

  private static let demo = CommandDescription(
    .demo, .router, flags: [.demoSeconds, .record],
    exitCodes: [.failure, .unreadableFile, .unavailable, .internalError],
    "plays and shows the main job with nothing prepared",
    details: [
      """
      Starts a dummy JACK server of its own with a simulated USB interface, headphones and a speaker, plays music, a click \
      and an announcement through the router, and prints what is heard where as it changes. The script takes 20 seconds; \
      then it goes on until Ctrl-C.
      """,
      "It ends with 0 only if each output received what the preset says. Nothing of yours is touched.",
    ],
    examples: [.init("multiroute demo --seconds 20 --record /tmp/demo", "to listen to what each device got")])

  private static let render = CommandDescription(
    .render, .router, [Positional("PRESET", .one, presetName)],
    flags: [.input, .output, .script, .renderSeconds, .rate, .period, .presets, .config],
    exitCodes: [.failure, .badPreset, .unreadableFile, .denied, .internalError],
    "runs a preset on sound files, without JACK and faster than real time",
    details: [
      """
      Policy and engine are those of run. A line of the script is a time in seconds and a message as for send; it is in \
      force in the period that contains its time.
      """
    ],
    examples: [
      .init(
        "multiroute render show --in show.click=click.wav --out headphones=heard.wav",
        "what the headphones would get")
    ])

  private static let check = CommandDescription(
    .check, .presets, [Positional("PRESET", .oneOrMore, presetName)], flags: [.presets, .config],
    exitCodes: [.badPreset, .unreadableFile],
    "says every problem of presets, with line and place",
    examples: [.init("multiroute check show.json", "says nothing and ends with 0 when all is well")])

  private static let presets = CommandDescription(
    .presets, .presets, flags: [.presets, .config], exitCodes: [.badPreset, .unreadableFile],
    "lists the presets there are, with their titles")

  private static let send = CommandDescription(
    .send, .control,
    [
      Positional("ADDRESS", .one, "An OSC address or pattern, such as /output/usb/gain."),
      Positional(
        "ARG", .any,
        "1 is an int, -6.5 a float, true and false are booleans, the rest is text; s:1 is the text 1."),
    ],
    flags: clientFlags, exitCodes: [.failure, .unavailable],
    "sends one OSC message and prints the applied value",
    examples: [
      .init("multiroute send /output/usb/gain -6", "prints -6.0"),
      .init("multiroute send /session/show/stream/click/route headphones", "moves a stream"),
      .init("multiroute send /session/show/name s:1984", "a text that looks like a number"),
    ])

  private static let get = CommandDescription(
    .get, .control, [Positional("ADDRESS", .one, "An address, or a pattern such as '/output/*/gain'.")],
    flags: clientFlags, exitCodes: [.failure, .unavailable],
    "reads an address once; it never fires anything",
    details: [
      """
      Of an address the value is printed, of a pattern a line for each leaf: address and value. Quote a pattern, or the \
      shell looks for files.
      """
    ])

  private static let watch = CommandDescription(
    .watch, .control,
    [Positional("PATTERN", .optional, "What to follow, with everything below it; without, all but meters.")],
    flags: clientFlags + [.watchSeconds], exitCodes: [.failure, .unavailable],
    "follows what changes: the present values, then each change",
    details: ["A line for each message: address and values. It ends with Ctrl-C, or when the router goes."],
    examples: [
      .init("multiroute watch /session", "everything about sessions"),
      .init("multiroute watch '/event/*'", "what happens"),
      .init("multiroute watch /meter/output/usb", "levels"),
    ])

  private static let status = CommandDescription(
    .status, .control, flags: [.watchStatus, .json] + clientFlags + [.watchSeconds],
    exitCodes: [.failure, .unavailable],
    "shows sessions, routes, ports, levels and load, and why each is heard, ducked, interrupted or silent",
    details: [
      """
      The second line counts: periods that came too late (xruns), the share of a period that the audio thread needs, the \
      longest it needed, blocks of a source that held no sound but infinities and the like, and were silenced; OSC packets \
      that came, those that were malformed, and those from hosts that the configuration does not list.
      """,
      """
      The third says what all sessions are subject to: interruptions that are on, the silent switch, and what duckers do to the \
      others. Below each session stands why it is heard, ducked, interrupted or silent, and by whom; DUCK is how far it is ducked now.
      """,
      "PEAK is in dBFS, channel by channel, before fader and mute; of outputs after the limiter. A dash is silence.",
    ])

  private static let ports = CommandDescription(
    .ports, .control, flags: clientFlags, exitCodes: [.failure, .unavailable],
    "lists inputs and outputs, which type each was taken for, and why",
    details: [
      """
      NAME of a device that no preset names is the name of its JACK client: "NAME:*" in a preset stands for all its ports.
      """
    ])

  private static let help = CommandDescription(
    .help, .program, [Positional("COMMAND", .optional, "Which command; without, all of them.")],
    flags: [.markdown], "explains a command")
}
