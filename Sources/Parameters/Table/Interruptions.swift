import SessionModel

extension Table {
  static let interruptions: [Parameter] = [
    Parameter(
      "/interruption/begin", .command("s source [s reason]"), .surface(.beginInterruption),
      "Begins an interruption; reasons are \(InterruptionReason.allCases.map(\.name).joined(separator: ", "))."
    ),
    Parameter(
      "/interruption/end", .command("s source [switch shouldResume, 1]"), .surface(.endInterruption),
      "Ends an interruption, and says whether those it interrupted should resume."),
    Parameter(
      "/interruption/list", .command(""), .surface(.listInterruptions),
      "Answers one message per source that is on or rings: index, total, source, reason."),
    Parameter(
      "/interruption/clear", .trigger, .surface(.clearInterruptions), "Ends all interruptions."),
    Parameter(
      "/interruption/scope", .choice(InterruptionScope.allCases.map(\.rawValue)), scope: .category,
      key: "scope",
      .value(
        read: { state, _ in .text(state.interruptionScope.rawValue) },
        write: { (request) throws(SessionError) in
          .router(.interruptionScope(InterruptionScope(rawValue: request.value.string)!))
        }), "Whether calls interrupt mixable sessions, too."),
    source(
      "on", \.isOn, { $1 ? .beginInterruption($0) : .endInterruption($0) },
      "An interruption such as phone: it begins, or ends with shouldResume; it acts as an active call."),
    source("ringing", \.isRinging, { .ring($0, $1) }, "A call rings that is not yet accepted."),
    Parameter(
      "/silent", .toggle,
      .value(
        read: { state, _ in .flag(state.isSilent) },
        write: { (request) throws(SessionError) in .router(.silent(request.value.bool)) }),
      "The silent switch, as on a phone: ambient and soloAmbient are silenced."),
  ]

  private static func source(
    _ name: String, _ isOn: @escaping @Sendable (Interruption) -> Bool,
    _ event: @escaping @Sendable (InterruptionID, Bool) -> Event, _ summary: String
  ) -> Parameter {
    Parameter(
      "/interruption/<source>/\(name)", .toggle,
      .value(
        read: { state, target in
          // One that nobody has heard of does not interrupt.
          target.source.map { .flag(state.interruptions[$0].map(isOn) ?? false) }
        },
        write: { (request) throws(SessionError) in event(request.target.source!, request.value.bool) }),
      summary)
  }
}
