/// Commands that run the router, or render without one.
extension CommandTable {
  static let run = CommandDescription(
    .run, .router,
    [Positional("PRESET", .optional, presetName + " Without a preset, the router starts without sessions.")],
    flags: [
      .server, .clientName, .osc, .http, .metrics, .config, .presets, .media, .state, .startServer, .wait,
      .fresh,
      .backend, .watchPreset, .allowPeriodChange, .bridgePath, .noDesktop, .noMDNS, .log, .logFormat, .events,
    ],
    exitCodes: [.badPreset, .unreadableFile, .unavailable, .portInUse, .denied, .internalError],
    "runs the router until stopped",
    details: [
      "When the preset is in force, standard error has the line multiroute: ready jack=NAME osc=HOST:PORT,tcp:HOST:PORT,unix:PATH",
      "The router receives OSC at the addresses of --osc and, from programs of the same user, at the Unix socket CLIENT.osc in the folder of sockets. If another router listens at the socket, the new one ends with 73.",
      "Where NSM_URL is set, the router joins that session manager, and the name multiroute alone means multiroute run.",
      "SIGINT (Ctrl-C) and SIGTERM fade out and leave JACK within a second; a second SIGINT ends the program at once. SIGHUP does what multiroute reload does. SIGUSR1 ends, too, and the next run restores the state, as after a crash: so does systemctl restart.",
      "The router tells systemd its state and signs of life (NOTIFY_SOCKET, WATCHDOG_USEC), and logs to the journal.",
      "After a clean stop the next run starts from the preset. After a crash the next run of the same preset restores the kept state and scene; if that was edited, or the preset is another one, nothing becomes louder than it says. PRESET may also be a kept state, or a copy of one.",
    ],
    examples: [
      .init("multiroute run usb-and-headphones", "a shipped preset, on the running JACK server"),
      .init("multiroute run ./show.json --osc wlan0:9440", "your own preset, with OSC for a tablet"),
      .init(
        "multiroute run --start-server --osc 127.0.0.1:0",
        "an empty router without hardware, to try things out"),
    ])

  static let demo = CommandDescription(
    .demo, .router, flags: [.demoSeconds, .record],
    exitCodes: [.failure, .unreadableFile, .unavailable, .internalError],
    "plays a demonstration on its own JACK server; no setup needed",
    details: [
      "Simulates a USB interface, headphones and a speaker on its own JACK server, plays through them, records each output, recalls a second scene and undoes it. The script takes about 20 seconds; then the players play on until Ctrl-C.",
      "Ends with 0 only if each output received what the preset says, bit for bit. Your JACK server and files are not touched.",
    ],
    examples: [.init("multiroute demo --seconds 20 --record /tmp/demo", "records what each device received")])

  static let render = CommandDescription(
    .render, .router, [Positional("PRESET", .one, presetName)],
    flags: [.input, .output, .script, .renderSeconds, .rate, .period, .progress, .presets, .media, .config],
    exitCodes: [.failure, .badPreset, .unreadableFile, .denied, .internalError],
    "runs a preset on sound files, without JACK and faster than real time",
    details: [
      "Uses the rules and the engine of run. A line of the script is a time in seconds and a message as for send.",
      "A mono file plays on all channels of its stream; a mono stream gets all channels, summed at equal power. A file with more channels than a wider stream is refused.",
      "The preset's players play from the media folders. A file that cannot be played is reported at the end, with 1.",
      "The files appear when all is rendered; Ctrl-C and SIGTERM end with 1 and leave none. A running router renders files by /session/SESSION/process.",
    ],
    examples: [
      .init(
        "multiroute render show --in show.click=click.wav --out headphones=heard.wav",
        "writes what the headphones would receive")
    ])
}
