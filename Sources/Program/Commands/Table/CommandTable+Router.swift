/// Commands that run the router, or render without one.
extension CommandTable {
  static let run = CommandDescription(
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

  static let demo = CommandDescription(
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

  static let render = CommandDescription(
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
}
