import SessionModel

extension Table {
  @_optimize(none)
  static var interruptions: [Parameter] {
    [
      Parameter(
        "/interruption/begin", .command("s source [s reason]"), .surface(.beginInterruption),
        "Begins an interruption; reasons are \(InterruptionReason.allCases.map(\.name).joined(separator: ", "))."
      ),
      Parameter(
        "/interruption/end", .command("s source [switch shouldResume, 1]"), .surface(.endInterruption),
        "Ends an interruption, and tells the interrupted sessions whether they should resume."),
      Parameter(
        "/interruption/list", .command(""), right: .view, .surface(.listInterruptions),
        "Lists sources that are on or ringing: index, total, source, reason."),
      Parameter(
        "/interruption/clear", .trigger, .surface(.clearInterruptions), "Ends all interruptions."),
      Parameter(
        "/interruption/scope", .choice(of: InterruptionScope.self), scope: .category,
        key: "scope",
        router.value(\.interruptionScope) { .interruptionScope($0) },
        "Whether calls interrupt mixable sessions, too."),
      source(
        "on", interruption.value(\.isOn) { .on($0) },
        "An interruption source such as phone: on acts as an active call, off ends it with shouldResume."
      ),
      source(
        "ringing", interruption.value(\.isRinging) { .ringing($0) }, "A call is ringing and not yet accepted."
      ),
      Parameter(
        "/silent", .toggle, scope: .mute,
        router.value(\.isSilent) { .silent($0) },
        "The silent switch, as on a phone: silences ambient and soloAmbient."),
    ]
  }

  private static func source(
    _ name: String, _ binding: Parameter.Binding, _ summary: String
  ) -> Parameter {
    Parameter(
      "/interruption/<source>/\(name)", .toggle, scope: .active, restored: .activity, binding, summary)
  }
}
