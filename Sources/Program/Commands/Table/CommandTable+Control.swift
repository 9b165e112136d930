/// Commands that control a running router.
extension CommandTable {
  static let record = CommandDescription(
    .record, .music,
    [
      Positional(
        "ID", .oneOrMore,
        "The id of a recorder of the running router, as /recorder/create or a preset made it.")
    ],
    flags: [.watchSeconds, .begin, .end] + clientFlags, exitCodes: [.failure, .unavailable],
    "records with recorders of a running router, and prints the names of the files",
    details: [
      "Records until Ctrl-C, for N seconds, or until the recorders end, for instance at their limit. Several recorders begin and end on one frame. If one is refused, none begins, and the command ends with 1.",
      "The files are in the folder `recordings` of the router's first media folder.",
    ],
    examples: [
      .init("multiroute record tape", "records until Ctrl-C, and prints the name of the file"),
      .init("multiroute record desk room --seconds 600", "ten minutes of two sources"),
      .init("multiroute record tape --start", "begins; multiroute record tape --stop ends it"),
    ])

  static let recall = CommandDescription(
    .recall, .control, [Positional("ID", .one, "The id of a preset in the router's preset folders.")],
    flags: [.fade] + clientFlags, exitCodes: [.failure, .unavailable],
    "recalls a preset in a running router",
    details: [
      "All of the preset is in force, or none of it: then the reason is printed, and the command ends with 1. A session that may not become active at present waits."
    ],
    examples: [.init("multiroute recall act-2 --fade 4", "fades to another scene within four seconds")])

  static let go = CommandDescription(
    .go, .control, flags: clientFlags, exitCodes: [.failure, .unavailable],
    "recalls the preset on standby",
    details: [
      "What a GO button does: /preset/standby comes into force, and the next preset in the order of `scenes` is then on standby."
    ])

  static let token = CommandDescription(
    .token, .control,
    [
      Positional("JOB", .one, "mix, list or withdraw."),
      Positional("WHAT", .optional, "For mix an output; for withdraw the name or number of a token."),
    ],
    flags: [.tokenLength, .tokenName] + clientFlags, exitCodes: [.failure, .unavailable],
    "gives a musician the mix of one output, and nothing else",
    details: [
      "mix prints a link for a phone, and its QR code. Whoever opens it sets the sends into the output and its level, below the maxima. The part behind # is the token: no server's log has it. The router keeps only its hash.",
      "withdraw ends the right at once. Tokens outlast a restart of the router.",
    ],
    examples: [
      .init("multiroute token mix headphones --for 3h --name Anna", "a link for Anna's phone"),
      .init("multiroute token withdraw Anna", "takes it back"),
    ])

  static let layout = CommandDescription(
    .layout, .control,
    [Positional("PROGRAM", .one, "\(LayoutFormat.allCases.map(\.rawValue).joined(separator: " or ")).")],
    flags: [.layoutPreset, .bank, .tablet, .presets, .config], exitCodes: [.badPreset, .unreadableFile],
    "prints a layout for a tablet: faders, scenes, calls and a mix for each output",
    details: [
      "The page Mixer has faders that move over the whole show, the page Show buttons. Each output, and each session whose programs receive a mix, has a page with the levels of what goes there. Panic, the phone and GO are on every page.",
      "The scenes are `scenes` of the configuration, else the preset and those that extend it, or that it extends.",
      "The faders of tablet N are the strips from 8 N - 7 on.",
      "docs/guide/surfaces/ tells what to set in the program.",
    ],
    examples: [
      .init(
        "multiroute layout open-stage-control --preset theatre > theatre.json",
        "a session of Open Stage Control"),
      .init("multiroute layout touchosc --preset theatre > theatre.tosc", "a layout of TouchOSC"),
      .init("multiroute layout touchosc --bank 16 > any.tosc", "16 faders for any show"),
    ])

  static let send = CommandDescription(
    .send, .control,
    [
      Positional("ADDRESS", .one, "An OSC address or pattern, such as /output/usb/gain."),
      Positional(
        "ARG", .any,
        "1 is an int, -6.5 a float, true and false are booleans, anything else is text; s:1 is the text 1."),
    ],
    flags: [.dryRun] + clientFlags, exitCodes: [.failure, .unavailable],
    "sends one OSC message and prints the applied value",
    examples: [
      .init("multiroute send /output/usb/gain -6", "prints -6.0"),
      .init(
        "multiroute send /output/usb/gain/fade -20 4",
        "prints -20.0 4.0, the end and the seconds of the fade"),
      .init("multiroute send /session/show/stream/click/route headphones", "moves a stream"),
      .init("multiroute send /session/show/name s:1984", "sends a text that looks like a number"),
      .init(
        "multiroute send --dry-run /interruption/begin phone", "tells which sessions a call would interrupt"),
    ])

  static let get = CommandDescription(
    .get, .control, [Positional("ADDRESS", .one, "An address, or a pattern such as '/output/*/gain'.")],
    flags: clientFlags, exitCodes: [.failure, .unavailable],
    "reads an address once, and never fires a trigger",
    details: [
      "Prints the value of an address, or a line for each address of a pattern. Quote a pattern against the shell."
    ])

  static let watch = CommandDescription(
    .watch, .control,
    [
      Positional(
        "PATTERN", .optional,
        "An address or pattern, followed with everything below it; by default everything but meters and measured values."
      )
    ],
    flags: clientFlags + [.watchSeconds], exitCodes: [.failure, .unavailable],
    "prints the present values, then each change",
    details: [
      "Prints a line for each message: address and values. Ends on Ctrl-C, or when the router ends, with 69."
    ],
    examples: [
      .init("multiroute watch /session", "everything about sessions"),
      .init("multiroute watch '/event/*'", "events, such as interruptions and plugged devices"),
      .init("multiroute watch /meter/output/usb", "levels"),
    ])

  static let console = CommandDescription(
    .console, .control, flags: clientFlags + [.promptState],
    exitCodes: [.failure, .unreadableFile, .unavailable],
    "reads and sets addresses at a prompt, which completes them",
    details: [
      "An address alone is read as by get, with arguments it is sent as by send. Double quotes enclose a text with blanks, # begins a comment. The words get, send, help and quit may stand before or instead of an address: send /preset/undo fires a trigger, help /output/usb/gain explains.",
      "Tab completes addresses and values. Keys are those of libedit (~/.editrc): Ctrl-R searches earlier lines, Ctrl-C drops the line, Ctrl-D ends.",
      "The last 1000 lines are kept in console-history in the folder of state, for its user alone; none with /hello and its passcode, and none that begins with a blank.",
      "Without a terminal each line of the input is one command; a refused line does not stop the next, and the exit code is that of the first that failed.",
    ],
    examples: [
      .init("multiroute console", "a prompt for the router of this machine"),
      .init("multiroute console < soundcheck.txt", "sends the lines of a file"),
    ])

  static let reload = CommandDescription(
    .reload, .control, flags: clientFlags, exitCodes: [.failure, .unavailable],
    "reads the preset of a running router again, and the hosts of its configuration, without a gap in the sound",
    details: [
      "Does what SIGHUP does. A mistake changes nothing: it is printed, and the command ends with 1. Of the configuration only hosts, passcodes and surfaces are read again."
    ],
    examples: [.init("multiroute reload", "after an edit of the preset or of hosts")])
}
