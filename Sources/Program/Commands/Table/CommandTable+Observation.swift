/// Commands that show what a router and its machine do, and why.
extension CommandTable {
  static let events = CommandDescription(
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

  static let status = CommandDescription(
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

  static let why = CommandDescription(
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

  static let ports = CommandDescription(
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

  static let top = CommandDescription(
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

  static let doctor = CommandDescription(
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

  static let metrics = CommandDescription(
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
}
