import SessionModel

extension Table {
  static let streams: [Parameter] = [
    Parameter(
      "/session/<s>/stream/create", .command("s id [i channels, 2]"), .surface(.createStream),
      "Makes a stream; in a multiRoute session it starts on the first channels of the first port."),
    Parameter(
      "/session/<s>/stream/remove", .command("s id"), .surface(.removeStream),
      "Fades a stream out and removes it."),
    Parameter(
      "/session/<s>/stream/list", .command(""), .surface(.listStreams),
      "Answers one message per stream: index, total, id, channels."),
    Parameter(
      "/session/<s>/stream/<t>/from", .texts, scope: .route, key: "from",
      .stream({ .texts($0.sources.map(\.text)) }) { value throws(SessionError) in
        var sources: [StreamSource] = []
        for text in value.strings {
          guard let source = StreamSource(text) else {
            throw SessionError(.badValue, "'\(text)' is neither a glob of JACK ports nor input:<id>:1-2")
          }
          sources.append(source)
        }
        return .sources(sources)
      }, "The JACK ports, or input:<i>:1-2, that feed it; replaces the old set."),
    Parameter(
      "/session/<s>/stream/<t>/gain", .level, unit: "dB", scope: .gain, key: "gain",
      .control(
        Parameter.Moved({ $0.stream($1)?.gain }, move: { .stream($0.session!, $0.stream!, .gain($1)) })),
      "The stream's level."),
    Parameter(
      "/session/<s>/stream/<t>/mute", .toggle, scope: .mute, key: "mute",
      .stream({ .flag($0.isMuted) }) { .muted($0.bool) }, "The stream's mute."),
    Parameter(
      "/session/<s>/stream/<t>/pan", .number(-1...1), scope: .pan, key: "pan",
      .control(
        Parameter.Moved({ $0.stream($1)?.pan }, move: { .stream($0.session!, $0.stream!, .pan($1)) })),
      "Balance: left min(1, 1-p), right min(1, 1+p), for 1 and 2 channels; 0 changes nothing."),
    Parameter(
      "/session/<s>/stream/<t>/exclusive", .toggle, scope: .route, key: "exclusive",
      .stream({ .flag($0.isExclusive) }) { .exclusive($0.bool) },
      "Its source ports are disconnected from anything but the router, and reconnected at exit."),
    Parameter(
      "/session/<s>/stream/<t>/duck/exempt", .toggle, scope: .duck, key: "duckExempt",
      .stream({ .flag($0.isDuckExempt) }) { .duckExempt($0.bool) }, "Never ducked."),
    Parameter(
      "/session/<s>/stream/<t>/route", .text, scope: .route,
      .value(
        read: { state, target in
          state.stream(target).map { stream in
            .text(StreamRoute.text(of: stream.destinations, order: state.outputs.keys))
          }
        },
        write: { request throws(SessionError) in
          .stream(
            request.target.session!, request.target.stream!, .route(try StreamRoute(request.value.string)))
        }), "Replaces where this stream goes, at once and click-free: usb:1-2,headphones=-6, or none."),
    Parameter(
      "/session/<s>/stream/<t>/never", .texts, right: .admin, scope: .route, key: "never",
      .stream({ .texts($0.never.map(\.name)) }) { value throws(SessionError) in
        .never(try PortID.list(value.strings))
      }, "A guard: outputs that no command, recall, map or hotplug ever sends it to."),
    Parameter(
      "/session/<s>/stream/<t>/to/<o>/on", .toggle, scope: .route, key: "on",
      .destination({ .flag($0.isOn) }) { .on($0.bool) },
      "One destination; on makes it with default channels if there is none, off keeps gain and map."),
    Parameter(
      "/session/<s>/stream/<t>/to/<o>/gain", .level, unit: "dB", scope: .gain, key: "gain",
      .control(
        Parameter.Moved(
          { $0.destination($1)?.gain },
          move: { .destination($0.session!, $0.stream!, $0.output!, .gain($1)) })),
      "The level of one destination."),
    Parameter(
      "/session/<s>/stream/<t>/to/<o>/map", .text, scope: .route, key: "map",
      .value(
        read: { state, target in
          guard let stream = state.stream(target), let destination = state.destination(target) else {
            return nil
          }
          return .text(destination.channels.mapText(width: stream.channels))
        },
        write: { request throws(SessionError) in
          let target = request.target
          let channels = try ChannelSelection(mapOrDefault: request.value.string)
          return .destination(target.session!, target.stream!, target.output!, .channels(channels))
        }), "Channel map, stream channel : port channel, such as 1:3,2:4; default is the first channels."),
    Parameter(
      "/session/<s>/stream/<t>/to/<o>/tap", .choice(Tap.allCases.map(\.rawValue)), scope: .route, key: "tap",
      .destination({ .text($0.tap.rawValue) }) { .tap(Tap(rawValue: $0.string)!) },
      "post; pre: before stream and session gain, after mutes; input: before mutes too."),
  ]

  static let captures: [Parameter] =
    [
      Parameter(
        "/session/<s>/capture/to", .texts, scope: .route, key: "to",
        .session({ .texts($0.capture.destinations.map(\.text)) }) { value throws(SessionError) in
          var globs: [PortGlob] = []
          for text in value.strings {
            guard let glob = PortGlob(text) else {
              throw SessionError(.badValue, "'\(text)' is no glob of JACK ports; none feeds nobody")
            }
            globs.append(glob)
          }
          return .captureDestinations(globs)
        }, "The JACK ports that the session's capture feeds."),
      Parameter(
        "/session/<s>/capture/channels", .integer(0...64), scope: .route, key: "channels",
        .session({ .integer($0.capture.channels) }) { .captureChannels($0.int) }, "Channels of the capture."),
    ]
    + sends(
      "/session/<s>/capture/session/<x>", of: "another session",
      read: { state, target in
        target.other.flatMap { state.session(target)?.capture.sessions[$0] } ?? CaptureSend(isOn: false)
      },
      event: { .captureSession($0.session!, $0.other!, $1) })
    + sends(
      "/session/<s>/capture/input/<i>", of: "an input",
      read: { state, target in
        target.input.flatMap { state.session(target)?.capture.inputs[$0] } ?? CaptureSend(isOn: false)
      },
      event: { .captureInput($0.session!, $0.input!, $1) })

  private static func sends(
    _ address: String, of what: String, read: @escaping @Sendable (RouterState, Target) -> CaptureSend,
    event: @escaping @Sendable (Target, CaptureSetting) -> Event
  ) -> [Parameter] {
    [
      Parameter(
        "\(address)/on", .toggle, scope: .route, key: "on",
        .value(
          read: { .flag(read($0, $1).isOn) },
          write: { (request) throws(SessionError) in event(request.target, .on(request.value.bool)) }),
        "Whether the capture contains \(what)."),
      Parameter(
        "\(address)/gain", .level, unit: "dB", scope: .gain, key: "gain",
        .control(Parameter.Moved({ read($0, $1).gain }, move: { event($0, .gain($1)) })),
        "How loud the capture contains \(what)."),
    ]
  }
}

extension ChannelSelection {
  /// Reads what the `map` leaf takes.
  /// - Throws: `SessionError` badValue.
  fileprivate init(mapOrDefault text: String) throws(SessionError) {
    guard text != "default" else {
      self = .default
      return
    }
    guard let map = ChannelSelection(map: text) else {
      throw SessionError(
        .badValue, "'\(text)' is no map; write stream channel : port channel, such as 1:3,2:4")
    }
    self = map
  }
}
