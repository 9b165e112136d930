import SessionModel

extension Table {
  static let outputs: [Parameter] =
    [
      Parameter(
        "/output/list", .command(""), .surface(.listOutputs),
        "Answers one message per output: index, total, id, name, type, channels, available.")
    ] + common(.output) + [
      Parameter(
        "/output/<o>/delay", .number(0...2), unit: "s", scope: .delay, key: "delay",
        .portControl(.output, \.delay) { .delay($0) },
        "Delay of the whole output; a change crossfades. Alignment comes on top of it, together at most 2 s."),
      Parameter(
        "/output/<o>/align", .text, scope: .delay, key: "align",
        .port(.output, { .text($0.alignmentGroup ?? "none") }) {
          .alignmentGroup($0.string == "none" ? nil : $0.string)
        },
        "The group of outputs that it is aligned with: those that are nearer to the loudspeaker are delayed; `none` is no group."
      ),
      Parameter(
        "/output/<o>/align/delay", .number(0...2), unit: "s",
        .portReadOnly(.output) { .number($0.alignment) },
        "What alignment adds to the output's own delay."),
      Parameter(
        "/output/<o>/ceiling", .number(-30...0), unit: "dBFS", scope: .limit, key: "ceiling",
        .portControl(.output, \.ceiling) { .ceiling($0) },
        "The limiter's ceiling; it adds no latency, and samples below it pass bit-exact."),
      Parameter(
        "/output/<o>/duck/limit", .number(-60...0), unit: "dB", scope: .duck, key: "duckLimit",
        .portControl(.output, \.duckLimit) { .duckLimit($0) }, "No duck goes deeper here."),
      Parameter(
        "/output/<o>/latency", .number(0...10), unit: "s", .portReadOnly(.output) { .number($0.latency) },
        "What the server reports from here to the loudspeaker, with the output's own delay and its alignment."
      ),
      Parameter(
        "/output/<o>/limiting", .toggle, .portReadOnly(.output) { .flag($0.isLimiting) },
        "Whether the limiter worked within the last half second."),
    ]

  static let inputs: [Parameter] =
    [
      Parameter(
        "/input/list", .command(""), .surface(.listInputs),
        "Answers one message per input: index, total, id, name, type, channels, available.")
    ] + common(.input) + [
      Parameter(
        "/input/<i>/hardware", .toggle, scope: .mute, key: "hardware",
        .port(.input, { .flag($0.isHardwareMuted) }) { .hardwareMuted($0.bool) },
        "The microphone is muted in hardware: sessions that record from it are interrupted, or record silence."
      ),
      Parameter(
        "/input/<i>/source", .text, scope: .route, key: "source",
        .port(.input, { .text($0.currentSource?.id ?? "none") }) {
          .source($0.string == "none" ? nil : $0.string)
        },
        "The data source that feeds it, one of `sources`; `none` leaves the choice to the router."),
      Parameter(
        "/input/<i>/sources", .text,
        .portReadOnly(.input) { .text($0.sources.map(\.id).joined(separator: ",")) },
        "The data sources that a preset gives it, joined by commas."),
      Parameter(
        "/input/<i>/<n>/gain", .level, unit: "dB", scope: .gain,
        .control(
          Parameter.Moved({ $0.strip($1)?.gain }, move: { .channel($0.input!, $0.channel!, .gain($1)) })),
        "The level of one channel."),
      Parameter(
        "/input/<i>/<n>/mute", .toggle, scope: .mute,
        .value(
          read: { state, target in state.strip(target).map { .flag($0.isMuted) } },
          write: { request throws(SessionError) in
            .channel(request.target.input!, request.target.channel!, .muted(request.value.bool))
          }), "The mute of one channel."),
    ]

  /// What outputs and inputs have in common.
  private static func common(_ direction: Direction) -> [Parameter] {
    let address = direction == .output ? "/output/<o>" : "/input/<i>"
    return [
      Parameter(
        "\(address)/name", .text, key: "name",
        .port(direction, { .text($0.name) }) { .name($0.string) }, "Display name."),
      Parameter(
        "\(address)/gain", .level, unit: "dB", scope: .gain, key: "gain",
        .portControl(direction, \.gain, maximum: \.maximum) { .gain($0) },
        "The port's own level, kept while it is away."),
      Parameter(
        "\(address)/max", .number(-90...10), unit: "dB", right: .admin, key: "max",
        .port(direction, { .number($0.maximum) }) { .maximum($0.double) },
        "No surface sets the level above it."),
      Parameter(
        "\(address)/mute", .toggle, scope: .mute, key: "mute",
        .port(direction, { .flag($0.isMuted) }) { .muted($0.bool) }, "The port's mute."),
      Parameter(
        "\(address)/plugged", .toggle, key: "plugged",
        .port(direction, { .flag($0.isPlugged) }) { .plugged($0.bool) },
        "By hand or script, for a jack whose plug JACK does not see."),
      Parameter(
        "\(address)/auto", .toggle, key: "auto",
        .value(
          read: { state, target in
            state.port(direction, target).map { .flag(state.isAutomatic($0, direction)) }
          },
          write: { request throws(SessionError) in
            .port(direction, request.target.port(direction)!, .automatic(request.value.bool))
          }),
        "Whether it takes part in last-in: 1 for ports named by the preset, 0 for others while a preset names any."
      ),
      Parameter(
        "\(address)/type", .text, .portReadOnly(direction) { .text($0.type.rawValue) }, "What it is."),
      Parameter(
        "\(address)/channels", .integer(0...64), .portReadOnly(direction) { .integer($0.channels) },
        "How many channels it has."),
      Parameter(
        "\(address)/available", .toggle, .portReadOnly(direction) { .flag($0.isAvailable) },
        "Whether its JACK ports exist and it is plugged."),
      Parameter(
        "\(address)/reason", .text, .portReadOnly(direction) { .text($0.typeReason) },
        "Why it was taken for its type."),
      Parameter(
        "\(address)/bridge", .text, .portReadOnly(direction) { .text($0.bridgeSentence) },
        "What the program does that it is bridged by; `none` without one."),
    ]
  }
}

extension RouterState {
  fileprivate func strip(_ target: Target) -> Port.ChannelStrip? {
    guard let port = port(.input, target), let number = target.channel,
      port.channelStrips.indices.contains(number - 1)
    else { return nil }
    return port.channelStrips[number - 1]
  }
}
