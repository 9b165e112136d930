import SessionModel

extension Table {
  static let ducking: [Parameter] =
    [
      Parameter(
        "/session/<s>/duck/exempt", .toggle, scope: .duck, key: "duckExempt", of: .session,
        .session({ .flag($0.isDuckExempt) }) { .duckExempt($0.bool) }, "Never ducked."),
      Parameter(
        "/session/<s>/duck/now", .number(-60...0), unit: "dB",
        .observed(
          Parameter.Observed(
            { moment, target in
              moment.state.session(target).map { .number($0.duckNow(at: moment.time)) }
            },
            isMoving: { moment, target in
              moment.state.session(target)?.ducks.contains { $0.isMoving(at: moment.time) } ?? false
            })), "Its present attenuation by duckers, the deepest of its outputs."),
    ] + values + [
      Parameter(
        "/duck/scope", .choice(DuckScope.allCases.map(\.rawValue)), scope: .duck, key: "scope",
        .value(
          read: { state, _ in .text(state.ducking.scope.rawValue) },
          write: { (request) throws(SessionError) in
            .router(.duckScope(DuckScope(rawValue: request.value.string)!))
          }),
        "Whom duckers duck: all; shared: those that share an output with them; heard: only in the outputs where they are heard."
      )
    ]

  /// Level, attack and release: the router's, and those that a ducker may have of its own.
  private static let values: [Parameter] =
    value(
      "level", -60...0, unit: "dB", router: \.level, own: \.level, { .duckLevel($0) }, { .duckLevel($0) },
      "Attenuation while a duckOthers session is active.", "How far it ducks the others as a ducker.")
    + value(
      "attack", 0.001...10, unit: "s", router: \.attack, own: \.attack, { .duckAttack($0) },
      { .duckAttack($0) }, "How long the way down takes.", "How long the way down takes when it ducks.")
    + value(
      "release", 0.001...10, unit: "s", router: \.release, own: \.release, { .duckRelease($0) },
      { .duckRelease($0) }, "How long the way back takes.", "How long the way back takes after it ducked.")

  private static func value(
    _ name: String, _ range: ClosedRange<Double>, unit: String,
    router: @escaping @Sendable (Ducking) -> Control, own: @escaping @Sendable (DuckerSettings) -> Control?,
    _ move: @escaping @Sendable (ControlMove) -> RouterSetting,
    _ moveOwn: @escaping @Sendable (ControlMove?) -> SessionSetting, _ summary: String, _ ownSummary: String
  ) -> [Parameter] {
    let inheritance = Parameter.Inheritance(
      isInForce: { state, target in state.session(target).flatMap { own($0.ducker) } == nil },
      event: { .session($0.session!, moveOwn(nil)) })
    return [
      Parameter(
        "/session/<s>/duck/\(name)", .inheritable(range), unit: unit, scope: .duck, key: name,
        .control(
          Parameter.Moved(
            { state, target in
              state.session(target).map { own($0.ducker) ?? router(state.ducking) }
            }, inheritance: inheritance, move: { .session($0.session!, moveOwn($1)) })), ownSummary),
      Parameter(
        "/duck/\(name)", .number(range), unit: unit, scope: .duck, key: name,
        .control(
          Parameter.Moved({ state, _ in router(state.ducking) }, move: { .router(move($1)) })),
        summary),
    ]
  }
}

extension Duck {
  /// Whether the attenuation still changes.
  fileprivate func isMoving(at time: Double) -> Bool { origin != target && time < start + seconds }
}
