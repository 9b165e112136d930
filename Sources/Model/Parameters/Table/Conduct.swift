import SessionModel

extension Table {
  /// A session's requests to other sessions and to the router, and its present relation to them.
  @_optimize(none)
  static var conduct: [Parameter] {
    standing + activation + observations
  }

  @_optimize(none)
  private static var standing: [Parameter] {
    [
      Parameter(
        "/session/<s>/priority", .choice(of: Priority.self), scope: .category, key: "priority",
        session.value(\.priority) { .priority($0) },
        "Its class: calls interrupt normal sessions, alerts are never silenced; changes only while inactive."
      ),
      Parameter(
        "/session/<s>/protected", .toggle, scope: .category, key: "protected",
        session.value(\.isProtected) { .protected($0) },
        "Calls, alerts, Record and interruptions neither silence nor refuse the session; it can still be ducked."
      ),
      Parameter(
        "/session/<s>/io/output", .choice(of: IOState.self), scope: .active, key: "output",
        session.value(\.outputIO) { .outputIO($0) },
        "Its client's output: auto follows its sound; stopped fades out, and stays active."),
      Parameter(
        "/session/<s>/io/input", .choice(of: IOState.self), scope: .active, key: "input",
        session.value(\.inputIO) { .inputIO($0) },
        "Its client's input: auto follows the connections of its capture."),
      Parameter(
        "/session/<s>/foreground", .toggle, scope: .active, key: "foreground", restored: .background,
        session.value(\.isForeground) { .foreground($0) }, "Whether the session counts as in the foreground."),
      Parameter(
        "/session/<s>/permission", .choice(of: RecordPermission.self), scope: .category,
        key: "permission",
        session.value(\.permission) { .permission($0) },
        "Record permission; without it, its input is silence."),
      Parameter(
        "/session/<s>/capture/exclusive", .toggle, scope: .category, key: "captureExclusive", of: .session,
        session.value(\.isCaptureExclusive) { .captureExclusive($0) },
        "Its capture is speech recognition: the prompt style of others is then none."),
      Parameter(
        "/session/<s>/alerts/ignore", .toggle, scope: .category, key: "ignoreAlerts",
        session.value(\.ignoresAlerts) { .ignoresAlerts($0) },
        "A ringing call does not interrupt it; an accepted call does."),
      Parameter(
        "/session/<s>/output/mute", .toggle, scope: .mute, key: "outputMute",
        session.value(\.isOutputMuted) { .outputMuted($0) },
        "AVAudioSession's output mute, beside the operator's."
      ),
    ]
  }

  @_optimize(none)
  private static var activation: [Parameter] {
    [
      Parameter(
        "/session/<s>/notify", .toggle, scope: .active, key: "notify",
        session.value(\.notifiesOthers) { .notifiesOthers($0) },
        "Whether a deactivation tells the sessions it interrupted that they may resume."
      ),
      Parameter(
        "/session/<s>/activate", .choice(of: Activation.self), scope: .active, key: "activate",
        session.value(\.activation) { .activation($0) },
        "When the router activates the session by itself."),
      Parameter(
        "/session/<s>/activate/threshold", .number(-80...0), unit: "dBFS", scope: .active, key: "threshold",
        session.control(\.signalThreshold) { .signalThreshold($0) },
        "For activate signal: the level that activates the session; the first sample is heard."
      ),
      Parameter(
        "/session/<s>/activate/hold", .number(0...60), unit: "s", scope: .active, key: "hold",
        session.control(\.signalHold) { .signalHold($0) },
        "For activate signal: how long below the threshold until the session is deactivated."
      ),
      Parameter(
        "/session/<s>/resume", .choice(of: Resumption.self), scope: .active, key: "resume",
        session.value(\.resumption) { .resumption($0) },
        "Whether the router reactivates the session after an interruption."),
      Parameter(
        "/session/<s>/unplug", .choice(of: UnplugConduct.self), scope: .active, key: "unplug",
        session.value(\.unplug) { .unplug($0) },
        "When its output disappears: continue at another, wait silently, or interrupt the session."
      ),
      Parameter(
        "/session/<s>/lease", .number(0...86_400), unit: "s", scope: .active, key: "lease",
        session.control(\.lease) { .lease($0) },
        "Deactivates the session if no /session/<s>/alive arrives in time; 0 is no lease."
      ),
      Parameter(
        "/session/<s>/quiet", .number(0...3_600), unit: "s", scope: .active, key: "quiet",
        session.control(\.quietTime) { .quietTime($0) },
        "After so long on air without sound, the alarm /health/quiet goes on; 0 is never."),
      Parameter(
        "/session/<s>/alive", .trigger, .surface(.alive), "A sign of life, which restarts the lease."),
    ]
  }

  @_optimize(none)
  private static var observations: [Parameter] {
    [
      Parameter(
        "/session/<s>/interrupted", .toggle, session.readOnly { $0.displacement != nil },
        "Whether the session is interrupted."),
      Parameter(
        "/session/<s>/ducked", .toggle,
        session.readOnly { ($0.isActive || $0.isAwaitingSignal) && $0.deepestDuck != nil },
        "Whether the session is ducked in one of its outputs."),
      Parameter(
        "/session/<s>/hint", .toggle,
        session.observed { $0.activity.isSecondaryAudioSilenced(for: $1.id) },
        "secondaryAudioShouldBeSilencedHint: another session that does not mix plays."),
      Parameter(
        "/session/<s>/others", .toggle, session.observed { $0.activity.isOtherAudioPlaying(besides: $1) },
        "isOtherAudioPlaying: another session plays."),
      Parameter(
        "/session/<s>/prompt", .text, session.observed { $0.activity.promptStyle(for: $1.id) },
        "promptStyle: none while another session records speech, short during a call, otherwise normal."),
      Parameter(
        "/session/<s>/direct", .toggle, session.readOnly(\.hasDirectConnections),
        "Whether a cable leads past the router, from or to one of the session's programs."
      ),
      Parameter(
        "/session/<s>/why", .text, session.observed { $0.state.why($1, $0.activity) },
        "One sentence: why the session is heard, ducked, interrupted or silent."
      ),
      Parameter(
        "/session/<s>/causes", .text, session.observed { $0.state.causesText($1, $0.activity) },
        "Every cause of silence or change, from the program to the loudspeaker, with its place, joined by `; `; or `none`."
      ),
      Parameter(
        "/session/<s>/heard", .command(""), right: .view, .surface(.listArrivals),
        "Lists where streams go: index, total, stream, output, why it is not heard there or an empty text."),
    ]
  }
}
