import SessionModel

extension Table {
  /// Where a session is, and where it would like to be.
  static let routes: [Parameter] = [
    Parameter(
      "/session/<s>/override", .choice(PortOverride.allCases.map(\.rawValue)), scope: .route, key: "override",
      .session({ .text($0.portOverride.rawValue) }) { .portOverride(PortOverride(rawValue: $0.string)!) },
      "speaker moves playAndRecord to the built-in speaker and microphone, until ports, its category or an interruption change its route."
    ),
    Parameter(
      "/session/<s>/input/preferred", .text, scope: .route, key: "input",
      .session({ .text($0.preferredInput?.name ?? "none") }) { value throws(SessionError) in
        .preferredInput(try PortID.optional(value.string))
      }, "The input used whenever it is there, one of `input/available`, else last in wins."),
    Parameter(
      "/session/<s>/input/available", .text,
      .session { moment, session in
        .text(moment.state.availableInputs(for: session).map(\.name).joined(separator: ","))
      }, "availableInputs: what it may capture from now, joined by commas."),
    Parameter(
      "/session/<s>/output/preferred", .text, scope: .route, key: "output",
      .session({ .text($0.preferredOutput?.name ?? "none") }) { value throws(SessionError) in
        .preferredOutput(try PortID.optional(value.string))
      }, "The output used whenever it is connected, else last in wins; not for multiRoute."),
    Parameter(
      "/session/<s>/route", .text, .sessionReadOnly { .text($0.route.text) }, "Where the session is now."),
  ]
}
