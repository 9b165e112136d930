import SessionModel

/// Notes what is wrong with the router, its devices or its machine, and which rules the operator has silenced
/// (docs/operate/health.md#alarms). `HealthWatch` finds the conditions.
enum HealthConditions {
  /// Begins, renews and ends conditions. An alarm that goes on or off is told once, in the order of the rules.
  static func note(
    _ state: inout RouterState, _ changes: [HealthRule: String?], at time: Double
  ) -> [Notification] {
    HealthRule.allCases.flatMap { rule -> [Notification] in
      guard let change = changes[rule] else { return [] }
      let former = state.health.conditions[rule]
      return tell(&state, rule) { health in
        health.set(rule, change.map { HealthCondition(since: former?.start ?? time, $0) })
      }
    }
  }

  /// Silences a rule, or ends that. A condition that holds all the while is told again when its rule is no longer silenced.
  static func silence(_ state: inout RouterState, _ rule: HealthRule, _ isSilenced: Bool) -> [Notification] {
    tell(&state, rule) { $0.silence(rule, isSilenced) }
  }

  /// Changes the status, and tells whether the rule's alarm went on or off.
  private static func tell(
    _ state: inout RouterState, _ rule: HealthRule, _ change: (inout HealthStatus) -> Void
  ) -> [Notification] {
    let before = state.health
    change(&state.health)
    let isOn = state.health.isOn(rule)
    guard isOn != before.isOn(rule) else { return [] }
    let sentence = (state.health.conditions[rule] ?? before.conditions[rule])?.sentence ?? ""
    return [.health(rule, isOn: isOn, sentence)]
  }
}
