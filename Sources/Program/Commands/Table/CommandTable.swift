/// The one table of all commands, in the order of the help.
public enum CommandTable {
  /// Every command.
  public static let commands: [CommandDescription] = [
    run, demo, render, check, presets, library, record, recall, go, layout, send, get, watch, console, events,
    status, why,
    ports, top,
    doctor, metrics,
    reload,
    help,
  ]

  /// The description of a command.
  public static func description(of name: CommandName) -> CommandDescription {
    commands.first { $0.name == name }!
  }

  private static let presetName =
    "A path if it contains / or ends in .json, otherwise the id of a preset in the preset folders."

  private static let clientFlags: [Flag] = [.to, .timeout]

  private static let run = CommandDescription(
    .run, .router,
    [Positional("PRESET", .optional, presetName + " Without a preset, the router starts without sessions.")],
    flags: [
      .server, .clientName, .osc, .http, .metrics, .config, .presets, .media, .state, .startServer, .wait,
      .fresh,
      .backend, .watchPreset, .allowPeriodChange, .bridgePath, .noDesktop, .log, .logFormat, .events,
    ],
    exitCodes: [.badPreset, .unreadableFile, .unavailable, .portInUse, .denied, .internalError],
    "runs the router until stopped",
    details: [
      "When the preset is in force, the router prints a line on standard error: multiroute: ready jack=NAME osc=HOST:PORT,tcp:HOST:PORT,unix:PATH",
      """
      The router receives OSC over UDP and, from programs of the same user, at a Unix socket: CLIENT.osc in the folder of \
      sockets. With --osc it opens only the given addresses and that socket. Over TCP each program chooses how its packets \
      are framed, SLIP (OSC 1.1) or lengths (OSC 1.0), and is answered in the same way. It replaces a socket that a crashed router left. \
      If another router listens at the socket, the new one ends with 73.
      """,
      """
      Where NSM_URL is set, the router joins that session manager, and begins when it opens a session. Then the name \
      multiroute alone means multiroute run.
      """,
      """
      SIGINT (Ctrl-C) and SIGTERM fade out and leave JACK within a second. A second SIGINT ends the program at once. \
      SIGHUP reloads the preset and the hosts of the configuration, as multiroute reload does.
      """,
      """
      Started by systemd, the router tells it when the preset is in force, its state in a sentence and signs of life (NOTIFY_SOCKET, \
      WATCHDOG_USEC), and writes its log as entries of the journal.
      """,
      """
      After a clean stop the next run starts from the preset. After a crash the next run of the same preset goes on with the \
      scene that was in force, and restores the kept state. If the scene was edited since, or the preset is another one, \
      nothing becomes louder than it says. A kept state is a preset: PRESET may also be one, or a copy of one.
      """,
    ],
    examples: [
      .init("multiroute run usb-and-headphones", "a shipped preset, on the running JACK server"),
      .init("multiroute run ./show.json --osc wlan0:9440", "your own preset, with OSC for a tablet"),
      .init(
        "multiroute run --start-server --osc 127.0.0.1:0",
        "an empty router without hardware, to try things out"),
    ])

  private static let demo = CommandDescription(
    .demo, .router, flags: [.demoSeconds, .record],
    exitCodes: [.failure, .unreadableFile, .unavailable, .internalError],
    "plays a demonstration on its own JACK server; no setup needed",
    details: [
      """
      Starts its own dummy JACK server with a simulated USB interface, headphones and a speaker, plays music, a click and \
      a queue by players of the router, and an announcement by a program, records each output, recalls a second scene with a fade and undoes it, and prints each change \
      of the sounds at each output. The script takes about 20 seconds; then the players play on until Ctrl-C.
      """,
      "It ends with 0 only if each output received what the preset says and the recordings are equal to that, bit for bit. It does not touch your JACK server or your files.",
    ],
    examples: [.init("multiroute demo --seconds 20 --record /tmp/demo", "records what each device received")])

  private static let render = CommandDescription(
    .render, .router, [Positional("PRESET", .one, presetName)],
    flags: [.input, .output, .script, .renderSeconds, .rate, .period, .progress, .presets, .media, .config],
    exitCodes: [.failure, .badPreset, .unreadableFile, .denied, .internalError],
    "runs a preset on sound files, without JACK and faster than real time",
    details: [
      """
      Uses the same rules and the same engine as run. A line of the script is a time in seconds and a message as for send. \
      The message takes effect in the period that contains its time.
      """,
      """
      A mono file plays on all channels of its stream, and a stream of one channel gets all channels of its file, summed at equal power. A file \
      with more channels than a wider stream is refused.
      """,
      """
      The preset's players play their files from the media folders, to the sample as at a server. A file that cannot be played is \
      reported at the end, with 1.
      """,
      """
      The files appear when all is rendered. Ctrl-C and SIGTERM end the command with 1 and leave no file. A running router renders files, too: \
      /session/SESSION/process.
      """,
    ],
    examples: [
      .init(
        "multiroute render show --in show.click=click.wav --out headphones=heard.wav",
        "writes what the headphones would receive")
    ])

  private static let check = CommandDescription(
    .check, .presets, [Positional("PRESET", .oneOrMore, presetName)],
    flags: [.live, .server, .presets, .config], exitCodes: [.badPreset, .unreadableFile, .unavailable],
    "reports every problem in a preset, with line and key",
    examples: [
      .init("multiroute check show.json", "prints nothing and ends with 0 if the preset is correct"),
      .init(
        "multiroute check --live show.json",
        "names each glob that matches no port, and each cable that leads past the router"),
    ]
  )

  private static let presets = CommandDescription(
    .presets, .presets,
    [
      Positional(
        "[JOB PRESET]", .any,
        "Instead of the list: show prints the preset, new makes one from what is connected; preview tells what its recall would change; store, update and delete write it; versions and restore (with a number behind) are about what it was."
      )
    ],
    flags: [.plan, .svg, .wirePlumber, .title, .server, .dropComments, .presets, .config] + clientFlags,
    exitCodes: [.failure, .badPreset, .unreadableFile, .unavailable],
    "lists the available presets with their titles, prints one, tells what its recall would change, or writes one",
    details: [
      """
      new needs a JACK server and no router. It writes a preset with comments from the devices and programs that are connected now, and asks \
      nothing: programs are heard at the first output, 20 dB down; inputs are in comments and routed nowhere, so that nothing can howl.
      """,
      """
      preview asks the running router, which changes nothing: first what would be heard, then each setting with its value now and then.
      """,
      """
      store has the running router write all its present settings as a new preset, and update as an existing one. Ten earlier versions of each \
      are kept: versions lists them, restore brings one back, also after delete. An update of a preset with comments needs \
      --drop-comments.
      """,
      """
      The drawings of --plan and --svg have programs and inputs on the left, sessions in the middle, outputs on the right. They need no router \
      and no audio server: they show the stage with everything connected.
      """,
      """
      PipeWire's session manager connects each program to the default device. An exclusive stream takes such a connection away; \
      with the script of --wireplumber the session manager never makes it. The first lines of the script say where to save it.
      """,
    ],
    examples: [
      .init("multiroute presets show podcast", "prints the file"),
      .init("multiroute presets show podcast --plan", "draws what is routed where"),
      .init("multiroute presets show podcast --svg > podcast.svg", "the same as a picture"),
      .init(
        "multiroute presets new my-show",
        "writes my-show.json into your preset folder, from what is connected"),
      .init("multiroute presets show podcast --wireplumber", "prints the script"),
      .init("multiroute presets preview act-2", "tells before GO what it will do"),
      .init(
        "multiroute presets store act-3 --title 'Act 3: the storm'", "writes what is heard now as a scene"),
      .init("multiroute presets restore act-3 2", "brings back version 2"),
    ])

  private static let library = CommandDescription(
    .library, .music,
    [
      Positional(
        "JOB", .oneOrMore,
        "scan; find and a query; show, or show and a list (songs, albums, artists, genres, composers, podcasts, audiobooks, compilations, playlists, unusable), a file, folder, playlist, query or id."
      )
    ],
    flags: [.media, .state, .config, .from, .count, .json],
    exitCodes: [.failure, .badPreset, .unreadableFile],
    "looks through the media folders, and searches and lists the music in them",
    details: [
      """
      A running router keeps its library up to date by itself; this command uses the same file, beside a router or without one. scan opens only \
      files that have changed. find and show end with 1 if there is nothing to print.
      """,
      """
      A query is words, and fields with values: title, artist, album, albumartist, genre, composer, folder, playlist, podcast, audiobook, \
      compilation and id. album:Blue finds the album that is called Blue; only if there is none, those with a word that begins so. All parts must hold.
      """,
      "A query, an id or a file in the last column of a list is what a player's queue takes.",
    ],
    examples: [
      .init("multiroute library scan --media ~/Music", "reads what has changed in another folder"),
      .init("multiroute library find blue train", "songs with these words, or words that begin so"),
      .init("multiroute library find album:Kind of Blue artist:Miles Davis", "an album, in its order"),
      .init("multiroute library show albums --from 100", "the second hundred albums"),
      .init(
        "multiroute library show Walk-in.m3u8", "what a queue would play of a playlist, and what it refuses"),
    ])

  private static let record = CommandDescription(
    .record, .music,
    [
      Positional(
        "ID", .oneOrMore,
        "The id of a recorder of the running router, as /recorder/create or a preset made it.")
    ],
    flags: [.watchSeconds, .begin, .end] + clientFlags, exitCodes: [.failure, .unavailable],
    "records with recorders of a running router, and prints the names of the files",
    details: [
      """
      Records until Ctrl-C, for N seconds, or until the recorders end by themselves, for instance at their limit. Several recorders begin and end on one \
      frame, so that their files line up. If one is refused, none begins, and the command ends with 1.
      """,
      "The files are in the folder `recordings` of the router's first media folder.",
    ],
    examples: [
      .init("multiroute record tape", "records until Ctrl-C, and prints the name of the file"),
      .init("multiroute record desk room --seconds 600", "ten minutes of two sources"),
      .init("multiroute record tape --start", "begins; multiroute record tape --stop ends it"),
    ])

  private static let recall = CommandDescription(
    .recall, .control, [Positional("ID", .one, "The id of a preset in the router's preset folders.")],
    flags: [.fade] + clientFlags, exitCodes: [.failure, .unavailable],
    "recalls a preset in a running router",
    details: [
      """
      Levels move along the fade, streams that come or go rise and fall with it. All of the preset is in force or none of it: the reason is \
      printed, and the command ends with 1. A session that may not become active at present, because a call is on or its \
      device is away, waits.
      """
    ],
    examples: [.init("multiroute recall act-2 --fade 4", "fades to another scene within four seconds")])

  private static let go = CommandDescription(
    .go, .control, flags: clientFlags, exitCodes: [.failure, .unavailable],
    "recalls the preset on standby",
    details: [
      """
      What a GO button does: /preset/standby comes into force, and the next preset of the show is then on standby. The \
      order is that of `scenes` in the configuration.
      """
    ])

  private static let layout = CommandDescription(
    .layout, .control,
    [Positional("PROGRAM", .one, "\(LayoutFormat.allCases.map(\.rawValue).joined(separator: " or ")).")],
    flags: [.layoutPreset, .bank, .tablet, .presets, .config], exitCodes: [.badPreset, .unreadableFile],
    "prints a layout for a tablet: faders, scenes, calls and a mix for each output",
    details: [
      """
      The page Mixer has faders that move over the whole show, the page Show has buttons, and each output has a page with the levels of \
      what goes there, and nothing else: a musician's own mix. So has each session whose programs receive a mix, such as a caller's. Panic, the phone and GO are on every page.
      """,
      """
      The scenes are those of `scenes` in the configuration. Without that list, they are the preset and those that extend it, or that it extends.
      """,
      "The faders of tablet N are the strips from 8 N - 7 on, so a tablet with more than 8 also has those of the next one.",
      "docs/surfaces/ tells what to set in the program. A layout subscribes by itself, and renews that.",
    ],
    examples: [
      .init(
        "multiroute layout open-stage-control --preset theatre > theatre.json",
        "a session of Open Stage Control"),
      .init("multiroute layout touchosc --preset theatre > theatre.tosc", "a layout of TouchOSC"),
      .init("multiroute layout touchosc --bank 16 > any.tosc", "16 faders for any show"),
    ])

  private static let send = CommandDescription(
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

  private static let get = CommandDescription(
    .get, .control, [Positional("ADDRESS", .one, "An address, or a pattern such as '/output/*/gain'.")],
    flags: clientFlags, exitCodes: [.failure, .unavailable],
    "reads an address once, and never fires a trigger",
    details: [
      """
      For an address, prints the value. For a pattern, prints one line for each address: address and value. Quote a \
      pattern, or the shell expands it to file names.
      """
    ])

  private static let watch = CommandDescription(
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

  private static let events = CommandDescription(
    .events, .control,
    [
      Positional(
        "FILE", .optional,
        "A file of `run --events`; without it, the events of the running router, at most the last 1,000.")
    ],
    flags: [.since, .ofSession, .ofKind, .follow, .json] + clientFlags,
    exitCodes: [.failure, .unreadableFile, .unavailable],
    "prints what has happened: events, reports and alarms",
    details: [
      "Prints a line for each event, oldest first: the local time, what happened, and the client whose command caused it.",
      "With --follow it goes on with new events, also when the file is rotated, until Ctrl-C.",
    ],
    examples: [
      .init("multiroute events --since 10m", "the last ten minutes"),
      .init("multiroute events --kind health --follow", "alarms, as they go on and off"),
      .init(
        "multiroute events evening.jsonl --session show --since 20:30",
        "what became of a session, from a file"),
    ])

  private static let console = CommandDescription(
    .console, .control, flags: clientFlags + [.promptState],
    exitCodes: [.failure, .unreadableFile, .unavailable],
    "reads and sets addresses at a prompt, which completes them",
    details: [
      """
      An address alone is read as by get, an address with arguments is sent as by send. Words are separated by blanks; double quotes \
      enclose a text with blanks, # begins a comment. The words get, send, help and quit may stand before or instead of an address: \
      send /preset/undo fires a trigger, help /output/usb/gain says the unit, the range and the meaning.
      """,
      """
      Tab completes addresses from what the running router has, and the values of switches and choices; for other values it shows the range. \
      Up and down bring back earlier lines, Ctrl-R searches them, Ctrl-C drops the line, Ctrl-D ends the console. Keys are those of \
      libedit, and may be changed in ~/.editrc. When the router goes away or comes back, a line says so.
      """,
      """
      The last 1000 lines are kept in console-history in the folder of state, which only its user may read; no line with /hello, \
      which may contain a passcode, and none that begins with a blank.
      """,
      """
      If standard input or output is no terminal, there is no prompt: each line of the input is one command, a refused line does not stop \
      the next, and the exit code is that of the first line that failed. If no router answers, the console ends at once with 69.
      """,
    ],
    examples: [
      .init("multiroute console", "a prompt for the router of this machine"),
      .init("multiroute console < soundcheck.txt", "sends the lines of a file"),
    ])

  private static let top = CommandDescription(
    .top, .control, flags: [.once, .json] + clientFlags + [.watchSeconds],
    exitCodes: [.failure, .unavailable],
    "shows load, levels, rings, clients and health, and follows them",
    details: [
      """
      On a terminal the screen is drawn in place twice a second until Ctrl-C. In a pipe, and with --json, the same is printed every second. \
      LEVEL is a bar from -60 to 0 dBFS of the loudest channel, PEAK its level; RING tells how many seconds of sound of a player or \
      a recorder lie between the disk and the audio thread, and what the disk was too slow for.
      """,
      "The router feeds back what changes, so that top costs itself and the router little. It ends with 69 when the router ends.",
    ],
    examples: [
      .init("multiroute top", "the screen"),
      .init("multiroute top --once --json", "one document for a program"),
    ])

  private static let metrics = CommandDescription(
    .metrics, .control, flags: [.metricsFile] + clientFlags,
    exitCodes: [.failure, .unreadableFile, .unavailable],
    "prints the page of metrics of the running router, for Prometheus",
    details: [
      """
      The page is the one that run --metrics serves over HTTP, and needs no --metrics. With --output a node exporter takes the page from a \
      file in its textfile folder; the name must end in .prom.
      """
    ],
    examples: [
      .init("multiroute metrics", "the page on standard output"),
      .init(
        "multiroute metrics --output /var/lib/prometheus/node-exporter/multiroute.prom",
        "for a node exporter, from a timer"),
    ])

  private static let status = CommandDescription(
    .status, .control, flags: [.watchStatus, .json] + clientFlags + [.watchSeconds],
    exitCodes: [.failure, .unavailable],
    "shows sessions, captures, routes, ports, levels and load, and why each is heard, ducked, interrupted or silent",
    details: [
      """
      The second line counts: periods that came too late (xruns), the share of a period that the audio thread needs, the \
      longest time it needed, source blocks that contained NaN or infinity and were silenced, received OSC packets, \
      malformed ones, and those from hosts that the configuration does not list.
      """,
      """
      The third line tells what affects all sessions: interruptions that are on, the silent switch, the lock, and the ducking settings. \
      The line below a session says why it is heard, ducked, interrupted or silent, and which session causes that. DUCK is \
      the present attenuation by ducking.
      """,
      """
      The line `capture` of a session tells what its programs receive and where that goes, or why it is silent.
      """,
      "PEAK is in dBFS for each channel: before fader and mute, and for outputs after the limiter. A dash is silence.",
      """
      --watch draws the report in place on a terminal, as much of it as fits, and follows the size of the terminal. Into a pipe \
      or a file it writes one report after the other. It ends with 69 when the router ends.
      """,
    ])

  private static let why = CommandDescription(
    .why, .control,
    [
      Positional("SESSION[.STREAM]", .one, "A session of the running router, or one of its streams."),
      Positional("OUTPUT", .optional, "The output at which it should be heard; by default all outputs."),
    ],
    flags: [.json] + clientFlags, exitCodes: [.failure, .unavailable],
    "shows the way of a sound from its program to the loudspeaker, the level at each stop, and each cause of silence",
    details: [
      """
      PEAK is in dBFS for each channel, measured now: of a stream before fader and mute, of an output after the limiter and with \
      everything else that is heard there. A dash is silence. The lines below a stop tell what acts there.
      """
    ],
    examples: [
      .init("multiroute why show.click headphones", "why the click is not heard in the headphones"),
      .init("multiroute why music", "the ways of all its streams"),
    ])

  private static let ports = CommandDescription(
    .ports, .control, flags: [.programs, .json] + clientFlags, exitCodes: [.failure, .unavailable],
    "lists inputs and outputs with JACK's names, the type assumed for each and why, and the ports of programs",
    details: [
      """
      The line below a port has the names of its JACK ports, in the order of the channels. If no preset names a device, NAME is the name of its JACK client. In a preset, "NAME:*" stands for all its ports.
      """,
      """
      The line below a program has its names at PipeWire, where two programs may have one JACK name. In a preset, \
      { "application": "Firefox", "media": "Some song" } stands for such a program.
      """,
    ])

  private static let doctor = CommandDescription(
    .doctor, .program, flags: [.server, .config, .presets, .media, .to, .timeout, .json],
    exitCodes: [.failure, .unavailable],
    "looks at the machine before the show, and says what would be heard and what mends it",
    details: [
      """
      Looks at real-time priority, memory that may be locked, the speed of the processors, the kernel's clock, the JACK server and \
      its library, sound cards and the USB ports they are plugged into, programs that hold sound devices, the disk of the recordings (a \
      file of 16 MiB is written and removed), the presets and the configuration, JACK ports that no preset matches, and, \
      if a router runs, programs that are heard past it or connect themselves.
      """,
      """
      Each finding says what is wrong, why that matters, and the command or the line that mends it. A FAULT would be heard; a \
      HINT would not be heard by itself. Ends with 1 if there is a FAULT.
      """,
      "Limits are those of programs that are started from here. Other users' programs are seen only by root.",
    ],
    examples: [
      .init("multiroute doctor", "before the doors open"),
      .init("multiroute doctor --json", "for a program: every fact and finding"),
    ])

  private static let reload = CommandDescription(
    .reload, .control, flags: clientFlags, exitCodes: [.failure, .unavailable],
    "reads the preset of a running router again, and the hosts of its configuration, without a gap in the sound",
    details: [
      """
      Does what SIGHUP does. A file with a mistake changes nothing: the mistake is printed, and the command ends with 1. \
      Of the configuration only hosts and passcodes are read again.
      """
    ],
    examples: [.init("multiroute reload", "after an edit of the preset or of hosts")])

  private static let help = CommandDescription(
    .help, .program, [Positional("COMMAND", .optional, "A command; by default all of them.")],
    flags: [.markdown], "explains a command")
}
