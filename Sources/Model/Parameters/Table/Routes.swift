import SessionModel

extension Table {
  /// A session's route, and its preferred ports.
  @_optimize(none)
  static var routes: [Parameter] {
    [
      Parameter(
        "/session/<s>/override", .choice(of: PortOverride.self), scope: .route, key: "override",
        session.value(\.portOverride) { .portOverride($0) },
        "speaker moves playAndRecord to the built-in speaker and microphone until its route changes."
      ),
      Parameter(
        "/session/<s>/input/preferred", .text, scope: .route, key: "input",
        session.value(\.preferredInput) { .preferredInput($0) },
        "The input to use whenever present, one of `input/available`."
      ),
      Parameter(
        "/session/<s>/input/available", .text,
        session.observed { moment, session in
          moment.state.availableInputs(for: session).map(\.name).joined(separator: ",")
        }, "availableInputs: the inputs that it may capture from, joined by commas."),
      Parameter(
        "/session/<s>/output/preferred", .text, scope: .route, key: "output",
        session.value(\.preferredOutput) { .preferredOutput($0) },
        "The output to use whenever connected. Not for multiRoute."
      ),
      Parameter(
        "/session/<s>/route", .text, session.readOnly(\.route.text), "The session's present route."),
    ]
  }
}
