import SessionModel

extension Table {
  /// What a session asks of the others and of the router, and what it is to them now.
  static let conduct: [Parameter] = standing + activation + observations

  private static let standing: [Parameter] = [
    Parameter(
      "/session/<s>/priority", .choice(Priority.allCases.map(\.rawValue)), scope: .category, key: "priority",
      .session({ .text($0.priority.rawValue) }) { .priority(Priority(rawValue: $0.string)!) },
      "Its class: calls interrupt normal sessions, alerts are never silenced; changes only while it is inactive."
    ),
    Parameter(
      "/session/<s>/protected", .toggle, scope: .category, key: "protected",
      .session({ .flag($0.isProtected) }) { .protected($0.bool) },
      "Calls, alerts, Record and interruptions neither silence nor refuse it; it can still be ducked."),
    // Before the foreground: in the background it may be too late to run.
    Parameter(
      "/session/<s>/io/output", .choice(IOState.allCases.map(\.rawValue)), scope: .active, key: "output",
      .session({ .text($0.outputIO.rawValue) }) { .outputIO(IOState(rawValue: $0.string)!) },
      "Its client's output: auto finds out from its sound; stopped fades out and stays active."),
    Parameter(
      "/session/<s>/io/input", .choice(IOState.allCases.map(\.rawValue)), scope: .active, key: "input",
      .session({ .text($0.inputIO.rawValue) }) { .inputIO(IOState(rawValue: $0.string)!) },
      "Its client's input: auto finds out from the cables of its capture."),
    Parameter(
      "/session/<s>/foreground", .toggle, scope: .active, key: "foreground",
      .session({ .flag($0.isForeground) }) { .foreground($0.bool) }, "Counts as in the foreground."),
    Parameter(
      "/session/<s>/permission", .choice(RecordPermission.allCases.map(\.rawValue)), scope: .category,
      key: "permission",
      .session({ .text($0.permission.rawValue) }) { .permission(RecordPermission(rawValue: $0.string)!) },
      "Record permission; without it, its input is silence."),
    Parameter(
      "/session/<s>/capture/exclusive", .toggle, scope: .category, key: "captureExclusive", of: .session,
      .session({ .flag($0.isCaptureExclusive) }) { .captureExclusive($0.bool) },
      "Its capture is speech recognition: others get the prompt style none while it records."),
    Parameter(
      "/session/<s>/alerts/ignore", .toggle, scope: .category, key: "ignoreAlerts",
      .session({ .flag($0.ignoresAlerts) }) { .ignoresAlerts($0.bool) },
      "A ringing call does not interrupt it, an accepted one does."),
    Parameter(
      "/session/<s>/output/mute", .toggle, scope: .mute, key: "outputMute",
      .session({ .flag($0.isOutputMuted) }) { .outputMuted($0.bool) },
      "AVAudioSession's output mute, with its rules; this or the operator's mute silences."),
  ]

  private static let activation: [Parameter] = [
    Parameter(
      "/session/<s>/notify", .toggle, scope: .active, key: "notify",
      .session({ .flag($0.notifiesOthers) }) { .notifiesOthers($0.bool) },
      "Whether a deactivation that does not say tells those it interrupted that they may resume."),
    Parameter(
      "/session/<s>/activate", .choice(Activation.allCases.map(\.rawValue)), scope: .active, key: "activate",
      .session({ .text($0.activation.rawValue) }) { .activation(Activation(rawValue: $0.string)!) },
      "When the router activates the session by itself."),
    Parameter(
      "/session/<s>/activate/threshold", .number(-80...0), unit: "dBFS", scope: .active, key: "threshold",
      control(\.signalThreshold) { .signalThreshold($0) },
      "For activate signal: the level that begins it; it is heard from its first sample, only its effects on others wait."
    ),
    Parameter(
      "/session/<s>/activate/hold", .number(0...60), unit: "s", scope: .active, key: "hold",
      control(\.signalHold) { .signalHold($0) },
      "For activate signal: how long it must be below the threshold until it ends."),
    Parameter(
      "/session/<s>/resume", .choice(Resumption.allCases.map(\.rawValue)), scope: .active, key: "resume",
      .session({ .text($0.resumption.rawValue) }) { .resumption(Resumption(rawValue: $0.string)!) },
      "Whether the router re-activates it after an interruption."),
    Parameter(
      "/session/<s>/unplug", .choice(UnplugConduct.allCases.map(\.rawValue)), scope: .active, key: "unplug",
      .session({ .text($0.unplug.rawValue) }) { .unplug(UnplugConduct(rawValue: $0.string)!) },
      "Its output goes: continue at another, wait silently until it is back, or interrupt the session."),
    Parameter(
      "/session/<s>/lease", .number(0...86_400), unit: "s", scope: .active, key: "lease",
      control(\.lease) { .lease($0) },
      "Ends, notifying others, if no /session/<s>/alive arrives in time; 0 is no lease."),
    Parameter(
      "/session/<s>/alive", .trigger, .surface(.alive), "A sign of life, which begins the lease anew."),
  ]

  private static let observations: [Parameter] = [
    Parameter(
      "/session/<s>/interrupted", .toggle, .sessionReadOnly { .flag($0.displacement != nil) },
      "Whether it is interrupted."),
    Parameter(
      "/session/<s>/ducked", .toggle,
      .sessionReadOnly { .flag(($0.isActive || $0.isAwaitingSignal) && $0.deepestDuck != nil) },
      "Whether it may be heard, and is ducked in an output that it goes to."),
    Parameter(
      "/session/<s>/hint", .toggle,
      .session { .flag($0.activity.isSecondaryAudioSilenced(for: $1.id)) },
      "secondaryAudioShouldBeSilencedHint: another session that does not mix plays."),
    Parameter(
      "/session/<s>/others", .toggle, .session { .flag($0.activity.isOtherAudioPlaying(besides: $1)) },
      "isOtherAudioPlaying: any other session plays."),
    Parameter(
      "/session/<s>/prompt", .text, .session { .text($0.activity.promptStyle(for: $1.id).rawValue) },
      "promptStyle: none while others record speech, short in a call, else normal."),
    Parameter(
      "/session/<s>/why", .text, .session { .text($0.state.why($1, $0.activity)) },
      "One sentence: why it is heard, ducked, interrupted or silent, and by whom."),
  ]

  /// A number of a session that sets and fades move.
  private static func control(
    _ control: @escaping @Sendable (Session) -> Control,
    move: @escaping @Sendable (ControlMove) -> SessionSetting
  ) -> Parameter.Binding {
    .control(
      Parameter.Moved({ $0.session($1).map(control) }, move: { .session($0.session!, move($1)) }))
  }
}

extension Parameter.Binding {
  /// What follows from a session and all others.
  static func session(_ read: @escaping @Sendable (Moment, Session) -> Value) -> Self {
    .observed(
      Parameter.Observed { moment, target in moment.state.session(target).map { read(moment, $0) } })
  }
}
