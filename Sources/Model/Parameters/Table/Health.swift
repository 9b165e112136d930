import SessionModel

extension Table {
  /// The alarms of health.
  @_optimize(none)
  static var alarms: [Parameter] {
    [
      Parameter(
        "/health/state", .text, .readOnly { state, _ in .text(state.health.sentence) },
        "`ok`, or the sentence of the weightiest alarm: what is wrong, and what to do."),
      Parameter(
        "/health/list", .command(""), right: .view, .surface(.listHealth),
        "Lists alarms that are on, the weightiest first: index, total, rule, severity, seconds, sentence."
      ),
    ] + HealthRule.allCases.flatMap { alarm($0) } + [
      Parameter(
        "/system/recover", .trigger, right: .admin, .surface(.recover),
        "Fades out, joins the audio server anew and makes all connections again; `/event/error` tells what was wrong."
      )
    ]
  }

  @_optimize(none)
  private static func alarm(_ rule: HealthRule) -> [Parameter] {
    [
      Parameter(
        "/health/\(rule.rawValue)/on", .toggle,
        .readOnly { state, _ in .flag(state.health.isOn(rule)) }, rule.summary),
      Parameter(
        "/health/\(rule.rawValue)/silenced", .toggle, scope: .limit,
        router.value({ $0.health.silenced.contains(rule) }) { .silence(rule, $0) },
        "Whether this alarm is silenced."),
    ]
  }
}
