import SessionModel
import Version

extension Table {
  @_optimize(none)
  static var wholeRouter: [Parameter] {
    [
      Parameter(
        "/ramp", .number(0.005...1), unit: "s", scope: .gain, key: "ramp",
        router.control(\.ramp) { .ramp($0) },
        "How long a gain, mute, route or on/off change takes."),
      Parameter(
        "/fade/curve", .choice(of: FadeCurve.self), scope: .gain,
        router.value(\.fadeCurve) { .fadeCurve($0) },
        "The curve of fades: along the fader's travel, in amplitude, or slow at both ends."),
      Parameter(
        "/align/now", .trigger, .surface(.align),
        "Aligns the outputs of each group; a change crossfades."
      ),
      Parameter(
        "/media/state", .text, .readOnly { state, _ in .text(state.server.isRunning ? "running" : "lost") },
        "Whether there is an audio server."),
      Parameter(
        "/system/version", .text, .readOnly { _, _ in .text(Version.current) }, "The version of the router."),
      Parameter(
        "/system/panic", .toggle, scope: .mute,
        router.value(\.isPanicking) { .panic($0) },
        "Mutes all outputs within 0.05 s; off ramps back within 1 s."),
      Parameter(
        "/system/lock", .toggle, right: .admin, scope: .limit,
        router.value(\.isLocked) { .lock($0) },
        "Whether only admin may change anything."),
      Parameter(
        "/system/touched", .texts, router.observed { moment, _ in moment.touched },
        "The faders under fingers: address, client id and name of each, with spaces between."),
      Parameter(
        "/system/deactivation", .choice(of: DeactivationConduct.self), scope: .active,
        router.value(\.deactivation) { .deactivation($0) },
        "The result of a deactivation while its own input or output runs: success, success with isBusy, or refusal."
      ),
    ]
  }

  @_optimize(none)
  static var meters: [Parameter] {
    meter("/meter/input/<i>", "Peak per channel, before the fader.")
      + meter("/meter/session/<s>", "Peak per channel over its streams, before fader and mute.")
      + meter("/meter/stream/<s>/<t>", "Peak per channel, before fader and mute.")
      + meter("/meter/capture/<c>", "Peak per channel of a session's capture, as its programs receive it.")
      + meter("/meter/output/<o>", "Peak per channel, after the limiter.")
      + meter("/meter/group/<g>", "The loudest member's peak per channel.") + [
        Parameter(
          "/meter/rate", .number(1...50), unit: "Hz", scope: .process,
          router.control(\.meterRate) { .meterRate($0) },
          "How often meters are sent.")
      ]
  }

  @_optimize(none)
  private static func meter(_ address: String, _ summary: String) -> [Parameter] {
    [
      Parameter(address, .meter(channels: true), unit: "dBFS", .surface(.meter), summary),
      Parameter(
        "\(address)/<n>", .meter(channels: false), .surface(.meter), "One channel, 0..1 for -60..0 dBFS."),
      Parameter("\(address)/signal", .toggle, .surface(.meter), "An indicator: sound above -60 dBFS."),
      Parameter(
        "\(address)/clip", .toggle, .surface(.meter), "An indicator: 0 dBFS was reached since the reset."
      ),
      Parameter("\(address)/clip/reset", .command(""), .surface(.resetClip), "Resets the clip indicator."),
    ]
  }

  @_optimize(none)
  static var surface: [Parameter] {
    [
      Parameter(
        "/ping", .command("any"), right: .view, .surface(.ping), "Answers /pong with the same arguments."),
      Parameter(
        "/hello", .command("s name [s passcode [i port]]"), right: .none, .surface(.hello),
        "Registers the sender; answers /welcome: client id, rights, name, version, epoch, lease."
      ),
      Parameter(
        "/token", .command("s token"), right: .none, .surface(.presentToken),
        "Makes the sender a client of one mix alone, until /bye or the end of its connection; answers /token/welcome: client id, output, token, seconds left. /token/ended tells the end."
      ),
      Parameter(
        "/token/make", .command("s output [f hours, 12 [s name]]"), right: .admin, .surface(.makeToken),
        "Makes a token for the mix of an output: index, total, id, name, output, token, seconds left."
      ),
      Parameter(
        "/token/list", .command(""), right: .admin, .surface(.listTokens),
        "Lists tokens: index, total, id, name, output, seconds left, clients."),
      Parameter(
        "/token/withdraw", .command("s name or id"), right: .admin, .surface(.withdrawToken),
        "Ends a token at once."),
      Parameter(
        "/token/code", .command("s text"), right: .admin, .surface(.drawCode),
        "Answers a QR code of a text: index, total, modules of a side, all modules row by row as 0 and 1."),
      Parameter(
        "/bye", .command(""), right: .none, .surface(.bye), "Forgets the sender and its subscriptions."),
      Parameter(
        "/subscribe", .command("[s pattern [f max Hz [i port]]]"), right: .view, .surface(.subscribe),
        "Sends a snapshot, then changes; without a pattern of all but meters and measured values."
      ),
      Parameter(
        "/unsubscribe", .command("[s pattern]"), right: .view, .surface(.unsubscribe),
        "Ends one subscription, or all."),
      Parameter(
        "/snapshot", .command("[s pattern]"), right: .view, .surface(.snapshot),
        "Sends every matching readable address except meters, measured values and lists."),
      Parameter(
        "/resync", .command("i sequence"), right: .view, .surface(.resync),
        "Sends the present values of all that was fed back after this bundle (/seq); or everything."
      ),
      client(
        .port, "[i port]",
        "The port of the sender's host to which answers, feedback and subscriptions without a port go."
      ),
      client(.keep, "[switch]", "Whether the sender gets feedback after 30 s of silence."),
      client(
        .echo, "[settled | always | never]",
        "What the sender hears of its own sets: the applied value once they have settled; every change; or only a value that became another."
      ),
      client(.rate, "[f max Hz]", "The rate of subscriptions that name none, for each address."),
      client(
        .boolean, "[i | f | tf]",
        "How switches and lamps are sent: as 0 and 1, as 0.0 and 1.0, or as F and T."),
      client(
        .timetags, "[now | honour]",
        "Whether bundles take effect when they arrive, or at their times, at most 60 s ahead."
      ),
      client(.ack, "[switch]", "Whether accepted sets and commands are answered by /ok."),
      client(
        .bundles, "[switch]",
        "Whether feedback over WebSocket comes as bundles, as over UDP, instead of one message a frame."),
      Parameter(
        "/sync", .command("i number"), right: .view, .surface(.sync),
        "Answers /synced once all earlier commands and connections are in force."
      ),
      Parameter(
        "/request", .command("i id s address args..."), right: .view, .surface(.request),
        "Carries out one message and answers /response: id, code, address, result or symbol and text."),
      Parameter(
        "/get", .command("s address"), right: .view, .surface(.get),
        "Reads an address and never triggers an action."),
      Parameter(
        "/what/if", .command("s address args..."), right: .view, .surface(.whatIf),
        "Answers what this message would change, as `/preset/<id>/preview` does, or its error; changes nothing."
      ),
      Parameter(
        "/event/since", .command("i serial"), right: .view, .surface(.eventsSince),
        "Sends again all events after this number; /event/lost tells which are lost."),
      Parameter(
        "/event/lines", .command("i serial"), right: .view, .surface(.eventLines),
        "Lists events after this number, at most 50: index, total, serial, a line of JSON as of --events."
      ),
    ]
  }

  private static func client(_ setting: ClientSetting, _ arguments: String, _ summary: String) -> Parameter {
    Parameter(
      "/client/\(setting.rawValue)", .command(arguments), right: .view, .surface(.client(setting)), summary)
  }

  @_optimize(none)
  static var system: [Parameter] {
    [
      Parameter(
        "/system/info", .command(""), right: .view, .surface(.info),
        "Version, JACK name, rate, period, uptime, OSC address, as keys and values."),
      Parameter(
        "/system/stats", .command(""), right: .view, .surface(.statistics), "Counters, as keys and values."),
      Parameter(
        "/system/metrics", .command(""), right: .view, .surface(.metrics),
        "Answers the page of metrics for Prometheus: index, total, some lines."
      ),
      Parameter(
        "/system/routers", .command(""), right: .view, .surface(.listRouters),
        "Lists routers that mDNS finds: index, total, name, its page or none, whether it runs on this machine."
      ),
      Parameter(
        "/system/ports", .command(""), right: .view, .surface(.listPorts),
        "Lists JACK ports of other clients: index, total, JACK's name, output or input, id of its port or none, channel, application, media, node."
      ),
      Parameter(
        "/system/unmatched", .command(""), right: .view, .surface(.listUnmatched),
        "Lists JACK names and globs without a port: index, total, owner, glob, nearest port or none."
      ),
      Parameter(
        "/system/direct", .command(""), right: .view, .surface(.listDirect),
        "Lists programs that play past the router and belong to no session: index, total, JACK client, ports."
      ),
      Parameter(
        "/system/waiting", .command(""), right: .view, .surface(.listHung),
        "Lists programs that do not answer JACK: index, total, JACK client, 1 if its outputs are disconnected, 0 if only new connections wait."
      ),
      Parameter(
        "/system/reload", .trigger, right: .admin, .surface(.reload),
        "Reads the preset in force and `hosts` again, as SIGHUP does. A mistake changes nothing."
      ),
      Parameter(
        "/system/list", .command("s address"), right: .view, .surface(.listAddresses),
        "Lists the children of an address."),
      Parameter(
        "/system/describe", .command("s address"), right: .view, .surface(.describe),
        "Describes an address: types, unit, access, range and meaning."),
    ]
  }
}
