import SessionModel

extension Table {
  /// A session's hardware values, and the ones that it prefers.
  @_optimize(none)
  static var hardware: [Parameter] {
    [
      Parameter(
        "/session/<s>/rate", .number(0...1_000_000), unit: "Hz",
        session.observed { moment, _ in Double(moment.state.server.rate) },
        "The server's sample rate."),
      Parameter(
        "/session/<s>/rate/preferred", .number(0...1_000_000), unit: "Hz", scope: .category, key: "rate",
        session.value(\.preferredHardware.rate) { .preferredRate($0) },
        "The sample rate that the session prefers, 0 for none."),
      Parameter(
        "/session/<s>/period", .number(0...10), unit: "s",
        session.observed { moment, _ in moment.state.server.periodSeconds }, "The server's period."),
      Parameter(
        "/session/<s>/period/preferred", .number(0...10), unit: "s", scope: .category, key: "period",
        session.value(\.preferredHardware.period) { .preferredPeriod($0) },
        "The period that the session prefers, 0 for none; the last activated session's applies."
      ),
    ] + channels(.input) + channels(.output) + [
      Parameter(
        "/session/<s>/input/level", .number(0...1), scope: .gain, restored: .whileActive,
        .control(
          Parameter.Moved(
            { state, target in
              session.read(state, target) { Parameter.Moved.Reading(control: state.inputLevel(of: $0)) }
            }, move: { (target, move) throws(SessionError) in try session.event(target, .inputLevel(move)) })),
        "AVAudioSession's input gain, in amplitude: one per input, shared; 1 while no session uses it."
      )
    ]
  }

  @_optimize(none)
  private static func channels(_ direction: Direction) -> [Parameter] {
    let (side, name) = direction == .input ? ("in", "input") : ("out", "outputs")
    return [
      Parameter(
        "/session/<s>/channels/\(side)/preferred", .integer(0...1_024), scope: .category,
        restored: .whileActive,
        session.value({ $0.preferredHardware[direction] }) { .preferredChannels(direction, $0) },
        "How many channels of its \(name) the session prefers, at most `maximum`; 0 until it is set."),
      Parameter(
        "/session/<s>/channels/\(side)/maximum", .integer(0...1_024),
        session.observed { $0.state.maximumChannels(of: $1, direction) },
        "How many channels its \(name) \(direction == .input ? "has" : "have") now; 0 if its category has none."
      ),
      Parameter(
        "/session/<s>/latency/\(side)", .number(0...10), unit: "s",
        session.observed { $0.state.latency(of: $1, direction) },
        direction == .input
          ? "From the microphone to the session."
          : "From the session to the loudspeaker that is furthest away."),
    ]
  }
}

extension ServerState {
  /// The period in seconds; 0 while there is no server.
  fileprivate var periodSeconds: Double { rate > 0 ? Double(period) / Double(rate) : 0 }
}
