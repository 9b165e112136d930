import SessionModel

extension Table {
  static let router: [Parameter] = [
    Parameter(
      "/ramp", .number(0.005...1), unit: "s", key: "ramp",
      .control(Parameter.Moved({ state, _ in state.ramp }, move: { .router(.ramp($1)) })),
      "How long a gain, mute, route or on/off change takes."),
    Parameter(
      "/fade/curve", .choice(FadeCurve.allCases.map(\.rawValue)),
      .value(
        read: { state, _ in .text(state.fadeCurve.rawValue) },
        write: { (request) throws(SessionError) in
          .router(.fadeCurve(FadeCurve(rawValue: request.value.string)!))
        }),
      "How fades run: along the fader's travel, in amplitude, or slow at both ends."),
    Parameter(
      "/align/now", .trigger, .surface(.align),
      "Aligns the outputs of each group by the latencies that the server reports, whatever sounds; a change crossfades."
    ),
    Parameter(
      "/media/state", .text, .readOnly { state, _ in .text(state.server.isRunning ? "running" : "lost") },
      "Whether there is an audio server."),
    Parameter(
      "/system/panic", .toggle,
      .value(
        read: { state, _ in .flag(state.isPanicking) },
        write: { (request) throws(SessionError) in .router(.panic(request.value.bool)) }),
      "All outputs down in 0.05 s; off ramps back over 1 s."),
    Parameter(
      "/system/lock", .toggle, right: .admin,
      .value(
        read: { state, _ in .flag(state.isLocked) },
        write: { (request) throws(SessionError) in .router(.lock(request.value.bool)) }),
      "Only admin may change anything."),
    Parameter(
      "/system/deactivation", .choice(DeactivationConduct.allCases.map(\.rawValue)),
      .value(
        read: { state, _ in .text(state.deactivation.rawValue) },
        write: { (request) throws(SessionError) in
          .router(.deactivation(DeactivationConduct(rawValue: request.value.string)!))
        }),
      "What deactivating does while the session's own input or output runs: it succeeds, succeeds and reports isBusy, or is refused."
    ),
  ]

  static let meters: [Parameter] =
    meter("/meter/input/<i>", "Peak per channel, before the fader.")
    + meter("/meter/session/<s>", "Peak per channel over its streams, before fader and mute.")
    + meter("/meter/stream/<s>/<t>", "Peak per channel, before fader and mute.")
    + meter("/meter/output/<o>", "Peak per channel, after the limiter.") + [
      Parameter(
        "/meter/rate", .number(1...50), unit: "Hz",
        .control(Parameter.Moved({ state, _ in state.meterRate }, move: { .router(.meterRate($1)) })),
        "How often meters are sent.")
    ]

  private static func meter(_ address: String, _ summary: String) -> [Parameter] {
    [
      Parameter(address, .meter(channels: true), unit: "dBFS", .surface(.meter), summary),
      Parameter(
        "\(address)/<n>", .meter(channels: false), .surface(.meter), "One channel, 0..1 for -60..0 dBFS."),
      Parameter("\(address)/signal", .toggle, .surface(.meter), "A lamp: there is sound above -60 dBFS."),
      Parameter(
        "\(address)/clip", .toggle, .surface(.meter), "A lamp: 0 dBFS was reached since the last reset."),
      Parameter("\(address)/clip/reset", .command(""), .surface(.resetClip), "Puts the clip lamp out."),
    ]
  }

  static let surface: [Parameter] = [
    Parameter(
      "/ping", .command("any"), right: .view, .surface(.ping), "Answers /pong with the same arguments."),
    Parameter(
      "/hello", .command("s name [s passcode [i port]]"), right: .none, .surface(.hello),
      "Registers the sender; answers /welcome: client id, rights, server name, version, epoch, lease in seconds."
    ),
    Parameter(
      "/bye", .command(""), right: .view, .surface(.bye), "Forgets the sender and its subscriptions."),
    Parameter(
      "/subscribe", .command("[s pattern [f max Hz [i port]]]"), right: .view, .surface(.subscribe),
      "A snapshot of what matches, then changes; without a pattern everything but meters."),
    Parameter(
      "/unsubscribe", .command("[s pattern]"), right: .view, .surface(.unsubscribe),
      "Ends a subscription, or all."),
    Parameter(
      "/snapshot", .command("[s pattern]"), right: .view, .surface(.snapshot),
      "Sends every readable leaf that matches, but meters and lists."),
    Parameter(
      "/sync", .command("i number"), right: .view, .surface(.sync),
      "Answers /synced once the audio thread has adopted all earlier commands, and new ports have the cables that are theirs."
    ),
    Parameter(
      "/request", .command("i id s address args..."), right: .view, .surface(.request),
      "Carries out one message and answers /response: id, code, address, result or symbol and text."),
    Parameter(
      "/get", .command("s address"), right: .view, .surface(.get), "Reads an address and never fires."),
    Parameter(
      "/event/since", .command("i serial"), right: .view, .surface(.eventsSince),
      "Replays later events; /event/lost says what is gone."),
  ]

  static let system: [Parameter] = [
    Parameter(
      "/system/info", .command(""), right: .view, .surface(.info),
      "Version, JACK name, rate, period, uptime, OSC address, as keys and values."),
    Parameter(
      "/system/stats", .command(""), right: .view, .surface(.statistics), "Counters, as keys and values."),
    Parameter(
      "/system/list", .command("s address"), right: .view, .surface(.listAddresses),
      "The children of an address."),
    Parameter(
      "/system/describe", .command("s address"), right: .view, .surface(.describe),
      "Types, unit, access, range and meaning of an address."),
  ]
}
