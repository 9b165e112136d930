import SessionModel

extension Table {
  /// How far other sessions duck a session, and how the session ducks others.
  @_optimize(none)
  static var sessionDucking: [Parameter] {
    [
      Parameter(
        "/session/<s>/duck/exempt", .toggle, scope: .duck, key: "duckExempt", of: .session,
        session.value(\.isDuckExempt) { .duckExempt($0) }, "Never ducked."),
      Parameter(
        "/session/<s>/duck/now", .number(-60...0), unit: "dB",
        session.observed(
          isMoving: { moment, session in session.ducks.contains { $0.isMoving(at: moment.time) } },
          { moment, session in session.duckNow(at: moment.time) }),
        "Its present attenuation by ducking; the deepest of all its outputs."),
    ] + ownValues
  }

  @_optimize(none)
  static var ducking: [Parameter] {
    values + [
      Parameter(
        "/duck/scope", .choice(of: DuckScope.self), scope: .duck, key: "scope",
        router.value(\.ducking.scope) { .duckScope($0) },
        "Which sessions are ducked: all; shared: those that share an output with the ducker; heard: only where the ducker is heard."
      )
    ]
  }

  /// The router's values of ducking.
  @_optimize(none)
  private static var values: [Parameter] {
    [
      value(
        "level", -60...0, unit: "dB", router.control(\.ducking.level) { .duckLevel($0) },
        "Attenuation while a duckOthers session is active."),
      value(
        "attack", 0.001...10, unit: "s", router.control(\.ducking.attack) { .duckAttack($0) },
        "How long the fade down takes."),
      value(
        "release", 0.001...10, unit: "s", router.control(\.ducking.release) { .duckRelease($0) },
        "How long the fade back takes."),
    ]
  }

  private static func value(
    _ name: String, _ range: ClosedRange<Double>, unit: String, _ binding: Parameter.Binding,
    _ summary: String
  ) -> Parameter {
    Parameter("/duck/\(name)", .number(range), unit: unit, scope: .duck, key: name, binding, summary)
  }

  /// The values that a ducker may set for itself in place of the router's.
  @_optimize(none)
  private static var ownValues: [Parameter] {
    [
      ownValue(
        "level", -60...0, unit: "dB", \.ducker.level, or: \.level, { .duckLevel($0) },
        "The attenuation of those that it ducks."),
      ownValue(
        "attack", 0.001...10, unit: "s", \.ducker.attack, or: \.attack, { .duckAttack($0) },
        "How long its ducks fade down."),
      ownValue(
        "release", 0.001...10, unit: "s", \.ducker.release, or: \.release, { .duckRelease($0) },
        "How long its ducks fade back."),
    ]
  }

  private static func ownValue(
    _ name: String, _ range: ClosedRange<Double>, unit: String,
    _ own: @escaping @Sendable (Session) -> Control?,
    or inherited: @escaping @Sendable (DuckingSettings) -> Control,
    _ move: @escaping @Sendable (ControlMove?) -> SessionSetting, _ summary: String
  ) -> Parameter {
    let inheritance = Parameter.Inheritance(
      isInForce: { state, target in session.read(state, target) { own($0) == nil } ?? true },
      event: { target throws(SessionError) in try session.event(target, move(nil)) })
    let moved = Parameter.Moved(
      { state, target in
        session.read(state, target) {
          Parameter.Moved.Reading(control: own($0) ?? inherited(state.ducking))
        }
      }, inheritance: inheritance,
      move: { (target, wanted) throws(SessionError) in try session.event(target, move(wanted)) })
    return Parameter(
      "/session/<s>/duck/\(name)", .inheritable(range), unit: unit, scope: .duck, key: name,
      .control(moved), summary)
  }
}

extension Duck {
  /// Whether the attenuation still changes.
  fileprivate func isMoving(at time: Double) -> Bool { origin != target && time < start + seconds }
}
