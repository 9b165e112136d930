import SessionModel

extension Table {
  @_optimize(none)
  static var streams: [Parameter] {
    [
      Parameter(
        "/session/<s>/stream/create", .command("s id [i channels, \(SessionDefaults.streamChannels)]"),
        .surface(.createStream),
        "Makes a stream; in a multiRoute session on the first channels of the first port."),
      Parameter(
        "/session/<s>/stream/remove", .command("s id"), .surface(.removeStream),
        "Fades a stream out and removes it."),
      Parameter(
        "/session/<s>/stream/list", .command(""), right: .view, .surface(.listStreams),
        "Lists streams: index, total, id, channels."),
      Parameter(
        "/session/<s>/stream/<t>/from", .programPorts, scope: .route, key: "from",
        stream.value(\.sources) { .sources($0) },
        "The JACK ports, or input:<i>:1-2, that feed the stream; replaces the old set."),
      Parameter(
        "/session/<s>/stream/<t>/color", .text, scope: .category, key: "color",
        stream.value(\.color) { .color($0) },
        "The stream's colour, as #rrggbb, or `none`."),
      Parameter(
        "/session/<s>/stream/<t>/gain", .level, unit: "dB", scope: .gain, key: "gain",
        stream.control(\.gain) { .gain($0) },
        "The stream's level."),
      Parameter(
        "/session/<s>/stream/<t>/mute", .toggle, scope: .mute, key: "mute",
        stream.value(\.isMuted) { .muted($0) }, "The stream's mute."),
      Parameter(
        "/session/<s>/stream/<t>/pan", .number(-1...1), scope: .pan, key: "pan",
        stream.control(\.pan) { .pan($0) },
        "Balance: left min(1, 1-p), right min(1, 1+p), for 1 and 2 channels; 0 changes nothing."),
      Parameter(
        "/session/<s>/stream/<t>/exclusive", .toggle, scope: .route, key: "exclusive",
        stream.value(\.isExclusive) { .exclusive($0) },
        "Disconnects the stream's source ports from all other programs."
      ),
      Parameter(
        "/session/<s>/stream/<t>/loop", .toggle, right: .admin, scope: .route, key: "loop",
        stream.value(\.allowsLoop) { .loop($0) },
        "The stream may take the monitor of an output that it goes to, which would otherwise howl."
      ),
      Parameter(
        "/session/<s>/stream/<t>/duck/exempt", .toggle, scope: .duck, key: "duckExempt",
        stream.value(\.isDuckExempt) { .duckExempt($0) }, "Never ducked."),
      Parameter(
        "/session/<s>/stream/<t>/route", .text, scope: .route,
        .value(
          read: { state, target in
            stream.read(state, target) { stream in
              .text(StreamRoute.text(of: stream.destinations, order: state.outputs.keys))
            }
          },
          write: { request throws(SessionError) in
            try stream.event(request.target, .route(try StreamRoute(try String(request.value))))
          }),
        "Replaces all destinations: usb:1-2,headphones=-6, or none."),
      Parameter(
        "/session/<s>/stream/<t>/never", .texts, right: .admin, scope: .route, key: "never",
        stream.value(
          read: { $0.never.value },
          write: { value throws(SessionError) in .never(try PortID.list(try [String](value))) }),
        "A guard: outputs that the stream never goes to, whatever asks for it."),
      Parameter(
        "/session/<s>/stream/<t>/to/<o>/on", .toggle, scope: .route, key: "on",
        destination.value(\.isOn) { .on($0) },
        "One destination; on makes it with default channels, off keeps gain and map."),
      Parameter(
        "/session/<s>/stream/<t>/to/<o>/gain", .level, unit: "dB", scope: .gain, key: "gain",
        destination.control(\.gain) { .gain($0) },
        "The level of one destination."),
      Parameter(
        "/session/<s>/stream/<t>/to/<o>/pan", .number(-1...1), scope: .pan, key: "pan",
        destination.control(\.pan) { .pan($0) },
        "The balance at one destination, after that of the stream."),
      Parameter(
        "/session/<s>/stream/<t>/to/<o>/map", .text, scope: .route, key: "map",
        .value(
          read: { state, target in
            guard let width = stream.read(state, target, \.channels) else { return nil }
            return destination.read(state, target) { .text($0.channels.mapText(width: width)) }
          },
          write: { request throws(SessionError) in
            let channels = try ChannelSelection(mapOrDefault: try String(request.value))
            return try destination.event(request.target, .channels(channels))
          }),
        "The channel map, stream channel:port channel, such as 1:3,2:4; by default the port's first channels."
      ),
      Parameter(
        "/session/<s>/stream/<t>/to/<o>/tap", .choice(of: Tap.self), scope: .route, key: "tap",
        destination.value(\.tap) { .tap($0) },
        "Where the send picks up: post; pre: before gains, after mutes; input: before mutes, too."
      ),
    ]
  }

  @_optimize(none)
  static var captures: [Parameter] {
    [
      Parameter(
        "/session/<s>/capture/to", .programPorts, scope: .route, key: "to",
        session.value(\.capture.destinations) { .captureDestinations($0) },
        "The JACK ports that receive the session's capture."),
      Parameter(
        "/session/<s>/capture/sole", .toggle, scope: .route, key: "sole",
        session.value(\.capture.isSole) { .captureSole($0) },
        "Disconnects the ports that receive the capture from all else. In presets on by default."
      ),
      Parameter(
        "/session/<s>/capture/channels", .integer(0...64), scope: .route, key: "channels",
        session.value(\.capture.channels) { .captureChannels($0) }, "How many channels the capture has."),
      Parameter(
        "/session/<s>/capture/route", .toggle, scope: .route, key: "route",
        session.value(\.capture.containsRoute) { .captureRoute($0) },
        "Whether the capture contains the route's input. In presets off by default beside `mix`."
      ),
      Parameter(
        "/session/<s>/capture/why", .text,
        session.observed { moment, session in moment.state.whyOfCapture(session, moment.activity) },
        "One sentence: what the capture contains and where it goes, or why it is silent."),
    ]
      + sends("/session/<s>/capture/session/<x>", captureSession, of: "another session")
      + sends("/session/<s>/capture/input/<i>", captureInput, of: "an input")
  }

  @_optimize(none)
  private static func sends(
    _ address: String, _ send: Holder<CaptureSend, CaptureSetting>, of what: String
  ) -> [Parameter] {
    [
      Parameter(
        "\(address)/on", .toggle, scope: .route, key: "on", send.value(\.isOn) { .on($0) },
        "Whether the capture contains \(what)."),
      Parameter(
        "\(address)/gain", .level, unit: "dB", scope: .gain, key: "gain", send.control(\.gain) { .gain($0) },
        "The level of \(what) in the capture."),
    ]
  }
}

extension PortID {
  /// Reads ids separated by commas or blanks, or `none`.
  /// - Throws: `SessionError` badValue.
  fileprivate static func list(_ texts: [String]) throws(SessionError) -> [PortID] {
    var ids: [PortID] = []
    for text in texts {
      for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) where part != "none" {
        let id = try PortID(parameterText: String(part))
        if !ids.contains(id) { ids.append(id) }
      }
    }
    return ids
  }
}

extension ChannelSelection {
  /// Reads a value of the `map` leaf.
  /// - Throws: `SessionError` badValue.
  fileprivate init(mapOrDefault text: String) throws(SessionError) {
    guard text != "default" else {
      self = .default
      return
    }
    guard let map = ChannelSelection(map: text) else {
      throw SessionError(
        .badValue, "'\(text)' is not a map; write stream channel:port channel, such as 1:3,2:4")
    }
    self = map
  }
}
