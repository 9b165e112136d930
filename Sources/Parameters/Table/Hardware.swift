import SessionModel

extension Table {
  /// What the hardware does for a session, and what the session would like.
  static let hardware: [Parameter] =
    [
      Parameter(
        "/session/<s>/rate", .number(0...1_000_000), unit: "Hz", .serverReadOnly { Double($0.rate) },
        "The server's sample rate."),
      Parameter(
        "/session/<s>/rate/preferred", .number(0...1_000_000), unit: "Hz", scope: .category, key: "rate",
        .session({ .number($0.wishes.rate) }) { .preferredRate($0.double) },
        "The sample rate that it would like, 0 for none; the server's is what counts, and is read back."),
      Parameter(
        "/session/<s>/period", .number(0...10), unit: "s",
        .serverReadOnly { $0.rate > 0 ? Double($0.period) / Double($0.rate) : 0 }, "The server's period."),
      Parameter(
        "/session/<s>/period/preferred", .number(0...10), unit: "s", scope: .category, key: "period",
        .session({ .number($0.wishes.period) }) { .preferredPeriod($0.double) },
        "The period that it would like, 0 for none; of active sessions the newest wish counts, if the server may change at all."
      ),
    ] + channels(.input) + channels(.output) + [
      Parameter(
        "/session/<s>/input/level", .number(0...1), scope: .gain,
        .control(
          Parameter.Moved(
            { state, target in state.session(target).map { state.inputLevel(of: $0) } },
            move: { .session($0.session!, .inputLevel($1)) })),
        "AVAudioSession's input gain, in amplitude: one for each input, for all who capture from it; 1 when nobody uses it."
      )
    ]

  private static func channels(_ direction: Direction) -> [Parameter] {
    let (side, name) = direction == .input ? ("in", "input") : ("out", "outputs")
    return [
      Parameter(
        "/session/<s>/channels/\(side)/preferred", .integer(0...1_024), scope: .category,
        .session({ .integer($0.wishes[direction]) }) { .preferredChannels(direction, $0.int) },
        "How many channels it would like of its \(name), at most `maximum`; 0 until it has said so."),
      Parameter(
        "/session/<s>/channels/\(side)/maximum", .integer(0...1_024),
        .session { .integer($0.state.maximumChannels(of: $1, direction)) },
        "How many channels its \(name) have now; 0 where its category has none."),
      Parameter(
        "/session/<s>/latency/\(side)", .number(0...10), unit: "s",
        .session { .number($0.state.latency(of: $1, direction)) },
        direction == .input
          ? "From the microphone to the session."
          : "From the session to the loudspeaker that is furthest away."),
    ]
  }
}
