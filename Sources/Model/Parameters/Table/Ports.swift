import SessionModel

extension Table {
  @_optimize(none)
  static var outputs: [Parameter] {
    [
      Parameter(
        "/output/list", .command(""), right: .view, .surface(.listOutputs),
        "Lists outputs: index, total, id, name, type, channels, available."),
      Parameter(
        "/output/forget", .command("s id"), .surface(.forgetOutput),
        "Forgets an absent device that no preset or session names."),
    ] + common(.output) + outputSection + [
      Parameter(
        "/output/<o>/delay", .number(0...2), unit: "s", scope: .delay, key: "delay",
        output.control(\.delay) { .delay($0) },
        "Delay of the output; a change crossfades. Alignment adds to it; together at most 2 s."),
      Parameter(
        "/output/<o>/align", .text, scope: .delay, key: "align",
        output.value(\.alignmentGroup) { .alignmentGroup($0) },
        "The alignment group, whose outputs are delayed to the longest latency; or `none`."
      ),
      Parameter(
        "/output/<o>/align/delay", .number(0...2), unit: "s",
        output.readOnly(\.alignment),
        "What alignment adds to the output's own delay."),
      Parameter(
        "/output/<o>/ceiling", .number(-30...0), unit: "dBFS", scope: .limit, key: "ceiling",
        output.control(\.ceiling, free: \.ceiling.stored) { .ceiling($0) },
        "The limiter's ceiling; samples above it are clipped, all others pass bit-exact. Raising it above the preset's takes admin."
      ),
      Parameter(
        "/output/<o>/maxTotal", .limit(-90...40), unit: "dB", right: .admin, scope: .limit, key: "maxTotal",
        output.value(
          read: { $0.maximumTotal.isFinite ? .number($0.maximumTotal) : .text(Kind.noLimit) },
          write: { value throws(SessionError) in
            .maximumTotal(value == .text(Kind.noLimit) ? .infinity : try Double(value))
          }),
        "The highest sum of all gains from a source to this output. A set beyond it is refused; recalls and new routes lower the send."
      ),
      Parameter(
        "/output/<o>/duck/limit", .number(-60...0), unit: "dB", scope: .duck, key: "duckLimit",
        output.control(\.duckLimit) { .duckLimit($0) }, "The deepest attenuation by ducking in this output."),
      Parameter(
        "/output/<o>/latency", .number(0...10), unit: "s", output.readOnly(\.latency),
        "The server's latency to the loudspeaker, plus delay and alignment."
      ),
      Parameter(
        "/output/<o>/limiting", .toggle, output.readOnly(\.isLimiting),
        "Whether the limiter was active within the last half second."),
    ]
  }

  /// The word for the loudspeakers of a session's route.
  private static let echoDefault = "default"

  @_optimize(none)
  static var inputs: [Parameter] {
    [
      Parameter(
        "/input/list", .command(""), right: .view, .surface(.listInputs),
        "Lists inputs: index, total, id, name, type, channels, available."),
      Parameter(
        "/input/forget", .command("s id"), .surface(.forgetInput),
        "Forgets an absent device that no preset or session names."),
    ] + common(.input) + inputChannels + [
      Parameter(
        "/input/<i>/hardware", .toggle, scope: .mute, key: "hardware",
        input.value(\.isHardwareMuted) { .hardwareMuted($0) },
        "The microphone is muted in hardware: its sessions are interrupted, or record silence."
      ),
      Parameter(
        "/input/<i>/source", .text, scope: .route, key: "source",
        input.value(\.currentSource?.id) { .source($0) },
        "Its data source, one of `sources`; `none` leaves the choice to the router."),
      Parameter(
        "/input/<i>/sources", .text,
        input.readOnly { $0.sources.map(\.id).joined(separator: ",") },
        "The data sources that a preset gives it, joined by commas."),
      Parameter(
        "/input/<i>/echo", .texts, scope: .process, key: "echo",
        input.value(
          read: { .texts($0.echo.map { $0.map(\.name) } ?? [echoDefault]) },
          write: { value throws(SessionError) in
            if value == .texts([echoDefault]) { return .echo(nil) }
            let outputs = try [PortID](value)
            guard !outputs.contains(where: { $0.name == echoDefault }) else {
              throw SessionError(.badValue, "'\(echoDefault)' stands alone; write it, or ids of outputs")
            }
            return .echo(outputs)
          }),
        "The outputs whose sound voice processing removes: `\(echoDefault)` for the loudspeakers of the session's route (no headphones, headset, Bluetooth); `none` turns the echo canceller off."
      ),
      Parameter(
        "/input/<i>/<n>/gain", .level, unit: "dB", scope: .gain,
        inputChannel.control(\.gain) { .gain($0) },
        "The level of one channel."),
      Parameter(
        "/input/<i>/<n>/mute", .toggle, scope: .mute,
        inputChannel.value(\.isMuted) { .muted($0) }, "The mute of one channel."),
    ]
  }

  /// The parameters that outputs and inputs have in common.
  @_optimize(none)
  private static func common(_ direction: Direction) -> [Parameter] {
    let address = direction == .output ? "/output/<o>" : "/input/<i>"
    return [
      Parameter(
        "\(address)/name", .text, scope: .category, key: "name",
        port(direction).value(\.name) { .name($0) }, "Display name."),
      Parameter(
        "\(address)/color", .text, scope: .category, key: "color",
        port(direction).value(\.color) { .color($0) },
        "The port's colour, as #rrggbb, or `none`."),
      // A maximum stands before the level that it limits, because a preset is applied in the order of the table.
      Parameter(
        "\(address)/max", .number(-90...10), unit: "dB", right: .admin, scope: .limit, key: "max",
        port(direction).value(\.maximum) { .maximum($0) },
        "The highest level; a higher one comes down to it."),
      Parameter(
        "\(address)/gain", .level, unit: "dB", scope: .gain, key: "gain",
        port(direction).control(\.gain, maximum: \.maximum) { .gain($0) },
        "The port's own level, kept while the port is absent."),
      Parameter(
        "\(address)/mute", .toggle, scope: .mute, key: "mute",
        port(direction).value(\.isMuted) { .muted($0) }, "The port's mute."),
      Parameter(
        "\(address)/plugged", .toggle, scope: .route, key: "plugged",
        port(direction).value(\.isPlugged) { .plugged($0) },
        "Whether something is plugged in; for a socket whose plug JACK cannot see."
      ),
      Parameter(
        "\(address)/auto", .toggle, scope: .route, key: "auto",
        .value(
          read: { state, target in
            port(direction).read(state, target) { .flag(state.isAutomatic($0, direction)) }
          },
          write: { request throws(SessionError) in
            try port(direction).event(request.target, .automatic(try Bool(request.value)))
          }),
        "Whether the port counts as last connected; by default, ports of the preset do, others only if it names none."
      ),
      Parameter(
        "\(address)/type", .text, port(direction).readOnly(\.type), "The type of the port."),
      Parameter(
        "\(address)/channels", .integer(0...64), port(direction).readOnly(\.channels),
        "How many channels it has."),
      Parameter(
        "\(address)/available", .toggle, port(direction).readOnly(\.isAvailable),
        "Whether its JACK ports exist and it is plugged."),
      Parameter(
        "\(address)/reason", .text, port(direction).readOnly(\.typeReason),
        "Why the router chose this type."),
      Parameter(
        "\(address)/desktop", .text, port(direction).readOnly { $0.desktopVolume?.effect ?? "none" },
        "What the desktop's mixer does to the device, such as turning it down; or `none`."
      ),
      Parameter(
        "\(address)/bridge", .text, port(direction).readOnly(\.bridgeSentence),
        "The state of its bridge program; `none` if it is not bridged."),
    ]
  }
}
