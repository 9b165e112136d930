import SessionModel

extension Table {
  /// The solos, which are no settings: no preset, no scene and no kept state has them.
  @_optimize(none)
  static var solos: [Parameter] {
    [
      Parameter(
        "/solo/on", .toggle, .readOnly { state, _ in .flag(!state.monitoring.solos.isEmpty) },
        "Whether anything is soloed at monitor outputs."),
      Parameter("/solo/clear", .trigger, .action { _ in .clearSolos }, "Ends all solos at monitor outputs."),
      solo("/session/<s>", "its streams", session) { .session($0.id) },
      Parameter(
        "/session/<s>/stream/<t>/solo", .toggle, scope: .mute,
        .transport(
          Parameter.Observed { moment, target in
            guard let session = target.session, let stream = target.stream,
              moment.state.stream(target) != nil
            else { return nil }
            return .flag(moment.state.isSoloed(.stream(session, stream)))
          },
          write: { request throws(SessionError) in
            .solo(
              .stream(try request.target.id(of: \.session), try request.target.id(of: \.stream)),
              try Bool(request.value))
          }), "Whether the monitor outputs hear the stream by itself."),
      Parameter(
        "/session/<s>/stream/<t>/to/<o>/solo", .toggle, scope: .mute,
        .transport(
          Parameter.Observed { moment, target in
            guard let session = target.session, let stream = target.stream, let output = target.output,
              moment.state.stream(target) != nil
            else { return nil }
            return .flag(moment.state.monitoring.sends.contains(SoloedSend(session, stream, to: output)))
          },
          write: { request throws(SessionError) in
            let target = request.target
            let send = SoloedSend(
              try target.id(of: \.session), try target.id(of: \.stream), to: try target.id(of: \.output))
            return .soloSend(send, try Bool(request.value))
          }), "Whether the output hears this send and no other. Ends with its client."),
      solo("/input/<i>", "the input", input) { .input($0.id) },
      solo("/output/<o>", "what it plays, after its fader", output) { .output($0.id) },
      solo("/player/<p>", "the player", player) { .player($0.id) },
      solo("/group/<g>", "the members", group) { .group($0.id) },
    ]
  }

  private static func solo<Object, Setting>(
    _ address: String, _ what: String, _ holder: Holder<Object, Setting>,
    _ solo: @escaping @Sendable (Object) -> SoloTarget
  ) -> Parameter {
    Parameter(
      "\(address)/solo", .toggle, scope: .mute,
      .transport(
        Parameter.Observed { moment, target in
          holder.read(moment.state, target) { .flag(moment.state.isSoloed(solo($0))) }
        },
        write: { request throws(SessionError) in
          guard let wanted = holder.read(request.state, request.target, solo) else {
            throw SessionError(.notFound, "there is nothing to solo")
          }
          return .solo(wanted, try Bool(request.value))
        }), "Whether the monitor outputs hear \(what).")
  }

  @_optimize(none)
  static var monitors: [Parameter] {
    [
      Parameter(
        "/output/<o>/monitor/on", .toggle, scope: .route, key: "on",
        output.value(\.monitor.isOn) { .monitor(.on($0)) },
        "Whether solos are heard here. In presets on by default."),
      Parameter(
        "/output/<o>/monitor/point", .choice(of: SoloPoint.self), scope: .route, key: "point",
        output.value(\.monitor.point) { .monitor(.point($0)) },
        "Where a solo picks up: pfl, before fader and mute; afl, after them, in its stereo place."),
      Parameter(
        "/output/<o>/monitor/exclusive", .toggle, scope: .route, key: "exclusive",
        output.value(\.monitor.isExclusive) { .monitor(.exclusive($0)) },
        "A solo replaces the others instead of adding to them."),
      Parameter(
        "/output/<o>/monitor/gain", .level, unit: "dB", scope: .gain, key: "level",
        output.control(\.monitor.level) { .monitor(.level($0)) }, "The level of what is soloed."),
      Parameter(
        "/output/<o>/monitor/dim", .limit(-60...0), unit: "dB", scope: .gain, key: "soloDim",
        output.value(
          read: { $0.monitor.dim.isFinite ? .number($0.monitor.dim) : .text(Kind.noLimit) },
          write: { value throws(SessionError) in
            .monitor(.dim(value == .text(Kind.noLimit) ? -.infinity : try Double(value)))
          }),
        "How much quieter the output's own content is while anything is soloed; `off` replaces it."),
      Parameter(
        "/output/<o>/monitor/lease", .toggle, scope: .route, key: "lease",
        output.value(\.monitor.endsWithSurface) { .monitor(.lease($0)) },
        "A client that leaves, or whose lease ends, takes its solos along."),
      Parameter(
        "/output/<o>/monitor/why", .text, output.observed { moment, port in moment.state.whyOfMonitor(port) },
        "One sentence: what is heard here by solos, and why."),
    ]
  }

  /// A session as a talkback, found by the id in the address.
  private static let talkback = Holder<Session, SessionSetting>(
    find: { state, target in
      target.talkback.flatMap { state.sessions[$0] }.flatMap { $0.isTalkback ? $0 : nil }
    },
    event: { (target, setting) throws(SessionError) in .session(try target.id(of: \.talkback), setting) })

  @_optimize(none)
  static var talkbacks: [Parameter] {
    [
      Parameter(
        "/talkback/<talk>/on", .toggle, scope: .active,
        talkback.transport({ $0.state.monitoring.isOpen($1.id) }) { target, isPressed throws(SessionError) in
          .talkback(try target.id(of: \.talkback), isPressed)
        },
        "The talkback's button: open while pressed; a press shorter than `latch` latches until the next one. Ends with its client."
      ),
      Parameter(
        "/talkback/<talk>/why", .text, talkback.observed { $0.state.whyOfTalkback($1) },
        "One sentence: who hears the talkback, or why nobody does."),
      Parameter(
        "/output/<o>/talkback", .toggle, output.observed { !$0.state.talkbacks(heardAt: $1.id).isEmpty },
        "Whether a talkback is heard here now."),
      Parameter(
        "/session/<s>/talkback/to", .texts, scope: .route, key: "to",
        session.value(
          read: { session in
            let talkback = session.talkback
            return (talkback.outputs.map { .output($0) } + talkback.groups.map { TalkbackListener.group($0) })
              .value
          },
          write: { value throws(SessionError) in
            let listeners = try [TalkbackListener](value)
            return .talkback(
              .outputs(listeners.compactMap(\.output), groups: listeners.compactMap(\.group)))
          }),
        "The outputs to which the session is a talkback, such as `iem1`, or group:<g> for the outputs of a group; `none` makes it none."
      ),
      Parameter(
        "/session/<s>/talkback/dim", .number(-60...0), unit: "dB", scope: .gain, key: "dim",
        .value(
          read: { state, target in session.read(state, target) { .number($0.talkback.dim) } },
          write: { request throws(SessionError) in
            try session.event(request.target, .talkback(.dim(try Double(request.value))))
          }),
        "How much quieter everything else is in these outputs while the talkback is open."),
      Parameter(
        "/session/<s>/talkback/latch", .number(0...2), unit: "s", scope: .route, key: "latch",
        .value(
          read: { state, target in session.read(state, target) { .number($0.talkback.latch) } },
          write: { request throws(SessionError) in
            try session.event(request.target, .talkback(.latch(try Double(request.value))))
          }), "A press shorter than this latches; 0 never latches."),
      Parameter(
        "/session/<s>/talkback/alarm", .number(0...3_600), unit: "s", scope: .route, key: "openAlarm",
        .value(
          read: { state, target in session.read(state, target) { .number($0.talkback.alarm) } },
          write: { request throws(SessionError) in
            try session.event(request.target, .talkback(.alarm(try Double(request.value))))
          }), "After so long open, the alarm /health/talkback goes on; 0 is never."),
    ]
  }
}

/// An output to which a talkback speaks, or a group whose outputs it speaks to, as a text.
private enum TalkbackListener: ParameterText {
  case output(PortID)
  case group(GroupID)

  var output: PortID? { if case .output(let id) = self { id } else { nil } }
  var group: GroupID? { if case .group(let id) = self { id } else { nil } }

  var text: String {
    switch self {
    case .output(let id): id.name
    case .group(let id): "group:\(id.name)"
    }
  }

  /// - Throws: `SessionError` badValue.
  init(parameterText text: String) throws(SessionError) {
    if text.hasPrefix("group:"), let id = GroupID(text.dropFirst("group:".count)) {
      self = .group(id)
    } else if let id = PortID(text) {
      self = .output(id)
    } else {
      throw SessionError(
        .badValue,
        "'\(text)' is neither the id of an output nor group:<id>; ids are lower-case letters, digits, - and _"
      )
    }
  }
}
