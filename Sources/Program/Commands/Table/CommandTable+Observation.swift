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
      "Prints a line for each event, oldest first: local time, what happened, and the client whose command caused it.",
      "With --follow it goes on until Ctrl-C, also when the file is rotated.",
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
      "The second line has xruns, the share of a period that the audio thread needs, the longest time, source blocks with NaN or infinity, and OSC packets: received, malformed, from unlisted hosts.",
      "The third line tells interruptions, the silent switch, the lock, and ducking; the line below a session why it is heard or not. DUCK is the present attenuation.",
      "The line `capture` tells what its programs receive.",
      "PEAK is in dBFS for each channel: before fader and mute, and for outputs after the limiter. A dash is silence.",
      "--watch draws the report in place on a terminal, and writes one after the other elsewhere.",
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
      "PEAK is as in status, measured now. The lines below a stop tell what acts there."
    ],
    examples: [
      .init("multiroute why show.click headphones", "why the click is not heard in the headphones"),
      .init("multiroute why music", "the ways of all its streams"),
    ])

  static let ports = CommandDescription(
    .ports, .control, flags: [.programs, .json] + clientFlags, exitCodes: [.failure, .unavailable],
    "lists inputs and outputs with JACK's names, the type assumed for each and why, and the ports of programs",
    details: [
      "The line below a port has its JACK ports, in the order of channels. NAME is the JACK client's name if no preset names the device; \"NAME:*\" stands for all its ports.",
      "The line below a program has its names at PipeWire, for a preset's { \"application\": \"Firefox\", \"media\": \"Some song\" }.",
    ])

  static let top = CommandDescription(
    .top, .control, flags: [.once, .json] + clientFlags + [.watchSeconds],
    exitCodes: [.failure, .unavailable],
    "shows load, levels, rings, clients and health, and follows them",
    details: [
      "On a terminal the screen is drawn twice a second until Ctrl-C; in a pipe, and with --json, the same is printed every second. LEVEL is a bar from -60 to 0 dBFS, PEAK its level; RING the seconds between disk and audio thread, and what the disk was too slow for.",
      "It ends with 69 when the router ends.",
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
      "Looks at real-time priority, lockable memory, processors, clock, JACK server, sound cards and their USB ports, programs that hold devices, the disk of the recordings (16 MiB are written and removed), presets, configuration, unmatched JACK ports, and programs heard past a running router.",
      "A FAULT would be heard, and ends with 1; a HINT would not be heard by itself. Each finding has what mends it.",
      "Limits are those of programs started from here. Only root sees other users' programs.",
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
      "Needs no run --metrics. With --output a node exporter takes the page from a file, whose name must end in .prom."
    ],
    examples: [
      .init("multiroute metrics", "the page on standard output"),
      .init(
        "multiroute metrics --output /var/lib/prometheus/node-exporter/multiroute.prom",
        "for a node exporter, from a timer"),
    ])

  static let find = CommandDescription(
    .find, .control, flags: [.searchSeconds, .timeout, .json], exitCodes: [.unavailable],
    "lists the routers on the network, with their presets and addresses",
    details: [
      "Asks the avahi daemon of this machine (mDNS). A router is announced if --osc or --http opens it to the network and a daemon runs beside it.",
      "A router tells its preset only to hosts that may see it; the others have `no answer`.",
    ],
    examples: [
      .init("multiroute find", "who is there"),
      .init("multiroute status --to foh", "the state of the router with the name foh"),
    ])
}
